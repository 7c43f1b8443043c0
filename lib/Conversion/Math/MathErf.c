//===- MathErf.c - the error function and its complement ------------------===//
//
//   erf x  = x p(x^2)                    near 0
//   erfc x = exp(-x^2) g(t) / (1 + 2 x)  t = (x - 2) / (x + 2), from 1/2 on
//
// erf is 1 - exp of a polynomial far out: of f32 as Juffa published it, of f64 minimax for
// log(erfc x) from 1 to 5.95, by its weight in erf, right to 2^-57.
//===----------------------------------------------------------------------===//
#include "MathKit.h"
#include <math.h>

static V narrowErf(Math *m, V x) {
  V size = absolute(m, x);
  size = selectNumber(m, compareNumber(m, OGT, size, 4), 4, size);
  V q = POLYNOMIAL(m, size, -1.72853470e-5, 3.83197126e-4, -3.88396438e-3, 2.42546219e-2,
                   -1.06777877e-1, -6.34846687e-1, -1.28717512e-1);
  V power = fma3(m, q, size, negate(m, size));
  V far = mathCopySign(m, mathOneMinusExp(m, power), x);
  V square = mul(m, x, x);
  V p = POLYNOMIAL(m, square, -5.96761703e-4, 4.99119423e-3, -2.67681349e-2, 1.12819925e-1,
                   -3.76125336e-1, 1.28379166e-1);
  V near = fma3(m, p, x, x);
  V isNear = compareNumber(m, OLT, size, 0.921875);
  return select(m, isNear, near, far);
}

/// |x| <= 1.
static V nearErf(Math *m, V x) {
  V z = mul(m, x, x);
  V p = m->wide
            ? POLYNOMIAL(m, z, -7.7794657295499961e-10, 1.37109789045861e-8, -1.6206313408057645e-7,
                         1.6447131524503547e-6, -1.4924712298094113e-5, 1.2055293576686917e-4,
                         -8.5483259293068284e-4, 5.2239776061182954e-3, -2.6866170643111441e-2,
                         1.1283791670944185e-1, -3.761263890318352e-1, 0.1283791670955126)
            : POLYNOMIAL(m, z, -5.96761703e-4, 4.99119423e-3, -2.67681349e-2, 1.12819925e-1,
                         -3.76125336e-1, 1.28379166e-1);
  return fma3(m, p, x, x);
}

/// size >= 1/2. exp(-x^2) loses nothing to the rounding of x^2, which multiplies it in the end.
static V farErfc(Math *m, V size) {
  V above = addNumber(m, size, -2), below = addNumber(m, size, 2);
  V t = mathQuotient(m, above, below);
  V g = m->wide ? POLYNOMIAL(m, t, -5.585492653022936e-9, -8.5521365849462801e-8,
                             1.807139313622865e-7, 3.1096128145725732e-7, -3.5843019429246882e-7,
                             -9.5241728012758519e-7, -5.9689445556099607e-7, 1.5441758055582922e-6,
                             5.1720696401727736e-6, 3.7052139767495689e-6, -1.347647280296943e-5,
                             -3.6424057826380798e-5, -1.513169982588367e-6, 1.5103958469097704e-4,
                             2.0636764773635648e-4, -4.5434089963660897e-4, -1.4568139833566942e-3,
                             1.271338971694303e-3, 8.7226538775182316e-3, -8.0340150826674966e-3,
                             -5.4220000992084371e-2, 1.6405128003344655e-1, -1.6603039761528889e-1,
                             -9.276382658574603e-2, 1.2769783815525287)
                : POLYNOMIAL(m, t, 2.359323694601696e-4, -3.2084883699803208e-4,
                             -1.4868936615675772e-3, 1.2231838387082841e-3, 8.7324704489369536e-3,
                             -8.0260941698766927e-3, -5.422126119938816e-2, 1.640507344385617e-1,
                             -1.6603034258124276e-1, -9.2763815848585583e-2, 1.276978381179729);
  V square = mul(m, size, size);
  V lost = fms(m, size, size, square);
  V power = mathExp(m, negate(m, square));
  V two = number(m, 2), one = number(m, 1);
  V scaled = mul(m, power, mathQuotient(m, g, fma3(m, size, two, one)));
  return fma3(m, negate(m, scaled), lost, scaled); // 0, not -0, where nothing is left
}

V mathErf(Math *m, V x) {
  if (!m->wide) return narrowErf(m, x);
  V size = absolute(m, x);
  size = selectNumber(m, compareNumber(m, OGT, size, 5.95), 5.95, size);
  V power = POLYNOMIAL(
      m, size, -4.865516917849381e-12, 2.0205014331297095e-10, -3.890293851254387e-09,
      4.593626759836462e-08, -3.695883428728056e-07, 2.114925202659469e-06, -8.579299045083218e-06,
      2.2534520600435992e-05, -1.952693282219324e-05, -0.00013654810737700828, 0.000773033754290734,
      -0.0019189344316694905, 0.00041352618448049896, 0.018988049328109276, -0.10270229354429945,
      -0.6366440537728584, -1.1283739920005127, -5.132121630026721e-07);
  V far = mathCopySign(m, mathOneMinusExp(m, power), x);
  V isNear = compareNumber(m, OLT, size, 1);
  return select(m, isNear, nearErf(m, x), far);
}

V mathErfc(Math *m, V x) {
  V size = mathClamp(m, absolute(m, x), 0, pick(m, 10.5, 28)), one = number(m, 1);
  V far = farErfc(m, size), two = number(m, 2);
  V isLeft = compareNumber(m, OLT, x, 0);
  far = select(m, isLeft, sub(m, two, far), far);
  V near = sub(m, one, nearErf(m, x));
  V isNear = compareNumber(m, OLT, size, 0.5);
  return select(m, isNear, near, far);
}
