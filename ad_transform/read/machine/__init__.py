"""The machine that runs postfix code: names, operands, what arrays and fields hold."""
