// SPDX-License-Identifier: Apache-2.0
//
// Conversions between integers and numbers; Conversion.c includes this for float and double.

// The limits are numbers of the type: the greatest that is below the end of the integer's range.
// Value is the type of an element's number: char, which has no sign on some processors, is signed.
#define FROM_INTEGER(name, Integer, Value)                                                       \
  VECTOR_DISPATCHED void NAME(name)(const Integer *A, vDSP_Stride IA, REAL *C, vDSP_Stride IC,   \
                                    vDSP_Length N) {                                             \
    EACH2(IA, IC, { C[i * IC] = (REAL)(Value)A[i * IA]; });                                      \
  }
#define TO_INTEGER(name, Integer, Value, MINIMUM, MAXIMUM, ROUND)                                \
  VECTOR_DISPATCHED void NAME(name)(const REAL *A, vDSP_Stride IA, Integer *C, vDSP_Stride IC,   \
                                    vDSP_Length N) {                                             \
    EACH2(IA, IC, {                                                                              \
      const REAL a = ROUND(A[i * IA]);                                                           \
      const REAL low = a > (REAL)(MINIMUM) ? a : (REAL)(MINIMUM);                                \
      const REAL limited = low < (REAL)(MAXIMUM) ? low : (REAL)(MAXIMUM);                        \
      const Value value = limited == (REAL)(MAXIMUM) ? (MAXIMUM) : TRUNCATE(Value, limited);     \
      C[i * IC] = a == a ? (Integer)value : 0;                                                   \
    });                                                                                          \
  }
// Through 64 bits, because a float that is below (REAL)MAXIMUM fits any of these.
#define TRUNCATE(Integer, a) (Integer)(int64_t)(a)
#define TOWARDS_ZERO(a) (a)
#define NEAREST(a) __builtin_elementwise_roundeven(a)
#define BOTH(suffix, Integer, Value, MINIMUM, MAXIMUM)                      \
  FROM_INTEGER(vflt##suffix, Integer, Value)                                \
  TO_INTEGER(vfix##suffix, Integer, Value, MINIMUM, MAXIMUM, TOWARDS_ZERO)  \
  TO_INTEGER(vfixr##suffix, Integer, Value, MINIMUM, MAXIMUM, NEAREST)

BOTH(8, char, signed char, INT8_MIN, INT8_MAX)
BOTH(u8, unsigned char, unsigned char, 0, UINT8_MAX)
BOTH(16, short, short, INT16_MIN, INT16_MAX)
BOTH(u16, unsigned short, unsigned short, 0, UINT16_MAX)
BOTH(32, int, int, INT32_MIN, INT32_MAX)
BOTH(u32, unsigned int, unsigned int, 0, UINT32_MAX)

#undef FROM_INTEGER
#undef TO_INTEGER
#undef TRUNCATE
#undef TOWARDS_ZERO
#undef NEAREST
#undef BOTH
