/* Value and derivatives of two models as a careful hand writes them in C. */
#include <math.h>

void arm_by_hand(const double t[6], double v[6], double jac[36]);
double roe_by_hand(double rl, double ul, double pl, double rr, double ur, double pr,
                   double grad[6]);

/* The robot arm of tests/corpus/published.py: many partials are values again. */
void arm_by_hand(const double t[6], double v[6], double jac[36]) {
    const double A1 = 175.0, A2 = 890.0, A3 = 50.0, D1 = 575.0, D4 = 1035.0, D6 = 185.0;
    const double c1 = cos(t[0]), s1 = sin(t[0]), c2 = cos(t[1]), s2 = sin(t[1]);
    const double c3 = cos(t[2]), s3 = sin(t[2]), c4 = cos(t[3]), s4 = sin(t[3]);
    const double c5 = cos(t[4]), s5 = sin(t[4]), c6 = cos(t[5]), s6 = sin(t[5]);
    const double c23 = c2 * c3 - s2 * s3, s23 = c2 * s3 + s2 * c3;
    const double s54 = s5 * s4, g = s5 * c23 * c4 + s23 * c5;
    const double ax = c1 * g + s1 * s54, ay = s1 * g - c1 * s54, by = s1 * g + c1 * s54;
    const double az = s23 * c4 * s5 - c23 * c5, m = c23 * s5 + s23 * c4 * c5;
    const double s234 = s23 * s4;
    const double nz = c6 * m - s234 * s6, oz = -s6 * m - s234 * c6;
    const double k = A1 + A2 * c2 + A3 * c23 + D4 * s23, root = sqrt(1.0 - az * az);
    v[0] = D6 * ax + c1 * k;
    v[1] = D6 * by + s1 * k;
    v[2] = A2 * s2 + D1 + A3 * s23 - D4 * c23 + D6 * az;
    v[3] = atan2(ay, ax);
    v[4] = atan2(root, az);
    v[5] = atan2(oz, -nz);
    const double k3 = D4 * c23 - A3 * s23 - D6 * az, k2 = k3 - A2 * s2;
    const double g4 = -(s54 * c23), g5 = c5 * c23 * c4 - s23 * s5;
    const double c4s5 = c4 * s5, c5s4 = c5 * s4;
    const double x4 = c1 * g4 + s1 * c4s5, x5 = c1 * g5 + s1 * c5s4;
    const double y4 = s1 * g4 - c1 * c4s5, y5 = s1 * g5 - c1 * c5s4;
    const double p3 = A3 * c23 + D4 * s23 + D6 * g;
    const double r = 1.0 / (ax * ax + ay * ay), q = -1.0 / root;
    const double w = 1.0 / (nz * nz + oz * oz);
    const double m4 = -(s23 * c5s4), n3 = c6 * g5 - c23 * s4 * s6;
    const double o3 = -s6 * g5 - c23 * s4 * c6;
    const double n4 = c6 * m4 - s23 * c4 * s6, o4 = -s6 * m4 - s23 * c4 * c6;
    double *row = jac;
    row[0] = -D6 * ay - s1 * k; row[1] = c1 * k2; row[2] = c1 * k3;
    row[3] = D6 * x4; row[4] = D6 * x5; row[5] = 0.0;
    row += 6;
    row[0] = D6 * (c1 * g - s1 * s54) + c1 * k; row[1] = s1 * k2; row[2] = s1 * k3;
    row[3] = D6 * (s1 * g4 + c1 * c4s5); row[4] = D6 * (s1 * g5 + c1 * c5s4);
    row[5] = 0.0;
    row += 6;
    row[0] = 0.0; row[1] = A2 * c2 + p3; row[2] = p3; row[3] = -D6 * (s234 * s5);
    row[4] = D6 * m; row[5] = 0.0;
    row += 6;
    row[0] = 1.0; row[1] = row[2] = az * (c1 * ay - s1 * ax) * r;
    row[3] = (ax * y4 - ay * x4) * r; row[4] = (ax * y5 - ay * x5) * r; row[5] = 0.0;
    row += 6;
    row[0] = 0.0; row[1] = row[2] = q * g; row[3] = -(q * (s234 * s5)); row[4] = q * m;
    row[5] = 0.0;
    row += 6;
    row[0] = 0.0; row[1] = row[2] = (oz * n3 - nz * o3) * w;
    row[3] = (oz * n4 - nz * o4) * w; row[4] = -(az * (c6 * oz + s6 * nz)) * w;
    row[5] = 1.0;
}

/* The mass flux of Roe's scheme and its gradient, by the adjoints of each line. */
double roe_by_hand(double rl, double ul, double pl, double rr, double ur, double pr,
                   double grad[6]) {
    const double gam = 1.4, kap = gam / (gam - 1.0);
    const double sl = sqrt(rl), sr = sqrt(rr), s = 1.0 / (sl + sr), wl = sl * s;
    const double wr = sr * s, el = kap * pl / rl, er = kap * pr / rr;
    const double hl = el + 0.5 * ul * ul, hr = er + 0.5 * ur * ur;
    const double u = wl * ul + wr * ur, h = wl * hl + wr * hr;
    const double c2 = (gam - 1.0) * (h - 0.5 * u * u), c = sqrt(c2), r = sl * sr;
    const double du = ur - ul, dp = pr - pl, i2 = 1.0 / c2, rcd = r * c * du;
    const double a1 = 0.5 * (dp - rcd) * i2, a3 = 0.5 * (dp + rcd) * i2;
    const double a2 = rr - rl - dp * i2, d1 = u - c, d3 = u + c;
    const double e1 = fabs(d1), e2 = fabs(u), e3 = fabs(d3);
    const double g1 = d1 < 0.0 ? 0.5 : -0.5, g2 = u < 0.0 ? 0.5 : -0.5;
    const double g3 = d3 < 0.0 ? 0.5 : -0.5;
    const double b1 = -0.25 * e1 * i2, b3 = -0.25 * e3 * i2, b2 = -0.5 * e2;
    const double dif = b3 - b1;
    const double c_bar = g3 * a3 - g1 * a1 + dif * r * du;
    const double i2_bar = -0.25 * (e1 * (dp - rcd) + e3 * (dp + rcd)) - b2 * dp;
    const double c2_bar = 0.5 * c_bar / c - i2_bar * i2 * i2;
    const double h_bar = (gam - 1.0) * c2_bar;
    const double u_bar = g1 * a1 + g2 * a2 + g3 * a3 - h_bar * u;
    const double du_bar = dif * r * c, dp_bar = b1 + b3 - b2 * i2;
    const double r_bar = dif * c * du, wl_bar = u_bar * ul + h_bar * hl;
    const double wr_bar = u_bar * ur + h_bar * hr, hl_bar = h_bar * wl;
    const double hr_bar = h_bar * wr, cross = (wl_bar - wr_bar) * s * s;
    const double sl_bar = r_bar * sr + cross * sr, sr_bar = r_bar * sl - cross * sl;
    grad[0] = 0.5 * ul - b2 + 0.5 * sl_bar / sl - hl_bar * el / rl;
    grad[1] = 0.5 * rl - du_bar + u_bar * wl + hl_bar * ul;
    grad[2] = hl_bar * kap / rl - dp_bar;
    grad[3] = 0.5 * ur + b2 + 0.5 * sr_bar / sr - hr_bar * er / rr;
    grad[4] = 0.5 * rr + du_bar + u_bar * wr + hr_bar * ur;
    grad[5] = hr_bar * kap / rr + dp_bar;
    return 0.5 * (rl * ul + rr * ur) - 0.5 * (e1 * a1 + e2 * a2 + e3 * a3);
}
