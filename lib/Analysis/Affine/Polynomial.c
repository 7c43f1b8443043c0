//===- Polynomial.c - sums of products ------------------------------------===//
//
// Terms are kept in the order of their degree and symbols, so equal polynomials are equal arrays.
//
//===----------------------------------------------------------------------===//
#include "Affine.h"
#include <string.h>

TilePoly polyInvalid(MlirOperation blame) { return (TilePoly){.blame = blame}; }

TilePoly polyOfTerm(const TileTerm *term) {
  TilePoly poly = {.valid = true};
  if (term->coefficient) poly.terms[poly.count++] = *term;
  return poly;
}

TilePoly polyConstant(int64_t value) { return polyOfTerm(&(TileTerm){.coefficient = value}); }

TilePoly polySymbol(int symbol) {
  return polyOfTerm(&(TileTerm){.coefficient = 1, .degree = 1, .symbols = {symbol}});
}

static int compareTerms(const TileTerm *a, const TileTerm *b) {
  if (a->degree != b->degree) return a->degree < b->degree ? -1 : 1;
  for (int i = 0; i < a->degree; ++i)
    if (a->symbols[i] != b->symbols[i]) return a->symbols[i] < b->symbols[i] ? -1 : 1;
  return 0;
}

/// Adds `term` to `poly` in place; false where it does not fit.
static bool addTerm(TilePoly *poly, const TileTerm *term) {
  int at = 0;
  while (at < poly->count && compareTerms(&poly->terms[at], term) < 0) ++at;
  size_t above = sizeof(TileTerm) * (size_t)(poly->count - at);
  if (at < poly->count && compareTerms(&poly->terms[at], term) == 0) {
    int64_t *sum = &poly->terms[at].coefficient;
    if (__builtin_add_overflow(*sum, term->coefficient, sum)) return false;
    if (*sum) return true;
    --poly->count;
    memmove(&poly->terms[at], &poly->terms[at + 1], above - sizeof(TileTerm));
    return true;
  }
  if (poly->count == TILE_POLY_TERMS) return false;
  memmove(&poly->terms[at + 1], &poly->terms[at], above);
  poly->terms[at] = *term;
  ++poly->count;
  return true;
}

static const MlirOperation noOne = {NULL};

/// The reason why a result of `a` and `b` is not valid, if one of them is not.
static bool eitherInvalid(const TilePoly *a, const TilePoly *b, TilePoly *result) {
  if (a->valid && b->valid) return false;
  *result = polyInvalid(a->valid ? b->blame : a->blame);
  return true;
}

TilePoly polyScale(const TilePoly *a, int64_t factor) {
  TilePoly by = polyConstant(factor);
  return polyMul(a, &by);
}

TilePoly polyAdd(const TilePoly *a, const TilePoly *b) {
  TilePoly sum;
  if (eitherInvalid(a, b, &sum)) return sum;
  sum = *a;
  for (int i = 0; i < b->count; ++i)
    if (!addTerm(&sum, &b->terms[i])) return polyInvalid(noOne);
  return sum;
}

TilePoly polySub(const TilePoly *a, const TilePoly *b) {
  TilePoly minus = polyScale(b, -1);
  return polyAdd(a, &minus);
}

static bool multiplyTerms(const TileTerm *a, const TileTerm *b, TileTerm *product) {
  if (__builtin_mul_overflow(a->coefficient, b->coefficient, &product->coefficient)) return false;
  if (a->degree + b->degree > TILE_POLY_DEGREE) return false;
  product->degree = a->degree + b->degree;
  for (int i = 0, k = 0, n = 0; n < product->degree; ++n) {
    bool takeA = k == b->degree || (i < a->degree && a->symbols[i] <= b->symbols[k]);
    product->symbols[n] = takeA ? a->symbols[i++] : b->symbols[k++];
  }
  return true;
}

TilePoly polyMul(const TilePoly *a, const TilePoly *b) {
  TilePoly product;
  if (eitherInvalid(a, b, &product)) return product;
  product = polyConstant(0);
  for (int i = 0; i < a->count; ++i)
    for (int k = 0; k < b->count; ++k) {
      TileTerm term = {0};
      if (!multiplyTerms(&a->terms[i], &b->terms[k], &term)) return polyInvalid(noOne);
      if (!addTerm(&product, &term)) return polyInvalid(noOne);
    }
  return product;
}

bool polyEqual(const TilePoly *a, const TilePoly *b) {
  if (!a->valid || !b->valid || a->count != b->count) return false;
  for (int i = 0; i < a->count; ++i)
    if (a->terms[i].coefficient != b->terms[i].coefficient ||
        compareTerms(&a->terms[i], &b->terms[i]) != 0)
      return false;
  return true;
}

bool polyIsConstant(const TilePoly *a, int64_t *value) {
  if (!a->valid || a->count > 1 || (a->count == 1 && a->terms[0].degree > 0)) return false;
  *value = a->count ? a->terms[0].coefficient : 0;
  return true;
}

static int countOf(const TileTerm *term, int symbol) {
  int count = 0;
  for (int i = 0; i < term->degree; ++i) count += term->symbols[i] == symbol;
  return count;
}

bool polyContains(const TilePoly *a, int symbol) {
  for (int i = 0; i < a->count; ++i)
    if (countOf(&a->terms[i], symbol)) return true;
  return false;
}

TileTerm termWithout(const TileTerm *term, int symbol) {
  TileTerm rest = {.coefficient = term->coefficient};
  bool taken = false;
  for (int i = 0; i < term->degree; ++i) {
    if (term->symbols[i] == symbol && !taken)
      taken = true;
    else
      rest.symbols[rest.degree++] = term->symbols[i];
  }
  return rest;
}

bool termDivide(const TileTerm *term, const TileTerm *by, TileTerm *quotient) {
  *quotient = *term;
  if (by->coefficient <= 0 || term->coefficient % by->coefficient != 0) return false;
  for (int i = 0; i < by->degree; ++i) {
    if (!countOf(quotient, by->symbols[i])) return false;
    *quotient = termWithout(quotient, by->symbols[i]);
  }
  quotient->coefficient = term->coefficient / by->coefficient;
  return true;
}

TilePoly polyDivide(const TilePoly *a, const TilePoly *by) {
  if (!a->valid || !by->valid || by->count != 1) return polyInvalid(noOne);
  TilePoly quotient = polyConstant(0);
  for (int i = 0; i < a->count; ++i) {
    TileTerm term;
    if (!termDivide(&a->terms[i], &by->terms[0], &term)) return polyInvalid(noOne);
    if (!addTerm(&quotient, &term)) return polyInvalid(noOne);
  }
  return quotient;
}

TilePoly polyCoefficient(const TilePoly *a, int symbol) {
  if (!a->valid) return *a;
  TilePoly result = polyConstant(0);
  for (int i = 0; i < a->count; ++i) {
    int count = countOf(&a->terms[i], symbol);
    if (count == 0) continue;
    TileTerm rest = termWithout(&a->terms[i], symbol);
    if (count > 1 || !addTerm(&result, &rest)) return polyInvalid(noOne);
  }
  return result;
}
