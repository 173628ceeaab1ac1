// SPDX-License-Identifier: Apache-2.0
//
// The transforms of complex numbers in one array, for float and double; TransformsTemplate.h includes
// this. Their parts are two arrays with a stride of two.

#if IS_DOUBLE
#define INTERLEAVED_SETUP struct vDSP_DFT_Interleaved_SetupStructD
#else
#define INTERLEAVED_SETUP struct vDSP_DFT_Interleaved_SetupStruct
#endif

INTERLEAVED_SETUP { DFT_SETUP split; };

INTERLEAVED_SETUP *FUNCTION(vDSP_DFT_Interleaved_CreateSetup)(
    INTERLEAVED_SETUP *Previous, vDSP_Length Length, vDSP_DFT_Direction Direction,
    vDSP_DFT_RealtoComplex RealtoComplex) {
  (void)Previous;
  if (!is_interleaved_length(Length)) return NULL;
  return (INTERLEAVED_SETUP *)OWN(make_setup)(
      Length, RealtoComplex == vDSP_DFT_Interleaved_RealtoComplex, Direction);
}

void FUNCTION(vDSP_DFT_Interleaved_DestroySetup)(INTERLEAVED_SETUP *Setup) {
  FUNCTION(vDSP_DFT_DestroySetup)((DFT_SETUP *)Setup);
}

void FUNCTION(vDSP_DFT_Interleaved_Execute)(const INTERLEAVED_SETUP *Setup, const COMPLEX *Iri,
                                            COMPLEX *Ori) {
  const SPLIT from = {(REAL *)&Iri->real, (REAL *)&Iri->imag};
  OWN(execute)(&Setup->split, from, (SPLIT){&Ori->real, &Ori->imag}, 2);
}

#undef INTERLEAVED_SETUP
