// SPDX-License-Identifier: Apache-2.0
//
// The transforms of powers of two with a buffer of the caller, for float and double;
// TransformsTemplate.h includes this. A setup has a memory for intermediate results of its own, so
// that they do not need it.

#define IN_PLACE(name)                                                                         \
  void NAME(name##t)(SETUP * Setup, const SPLIT *C, vDSP_Stride IC, const SPLIT *Buffer,       \
                     vDSP_Length Log2N, FFTDirection Direction) {                              \
    (void)Buffer;                                                                              \
    NAME(name)(Setup, C, IC, Log2N, Direction);                                                \
  }
#define OUT_OF_PLACE(name)                                                                     \
  void NAME(name##t)(SETUP * Setup, const SPLIT *A, vDSP_Stride IA, const SPLIT *C,            \
                     vDSP_Stride IC, const SPLIT *Buffer, vDSP_Length Log2N,                   \
                     FFTDirection Direction) {                                                 \
    (void)Buffer;                                                                              \
    NAME(name)(Setup, A, IA, C, IC, Log2N, Direction);                                         \
  }
IN_PLACE(fft_zip)
IN_PLACE(fft_zrip)
OUT_OF_PLACE(fft_zop)
OUT_OF_PLACE(fft_zrop)
#undef IN_PLACE
#undef OUT_OF_PLACE
