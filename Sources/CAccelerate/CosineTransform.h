// SPDX-License-Identifier: Apache-2.0
//
// Cosine transforms in float, by a Fourier transform of half as many complex numbers: Makhoul, "A
// fast cosine transform in one and two dimensions" (1980).

vDSP_DFT_Setup vDSP_DCT_CreateSetup(vDSP_DFT_Setup Previous, vDSP_Length Length,
                                    vDSP_DCT_Type Type) {
  (void)Previous;
  if (Type != vDSP_DCT_II && Type != vDSP_DCT_III && Type != vDSP_DCT_IV) return NULL;
  if (!is_transform_length(Length, 16)) return NULL;
  vDSP_DFT_Setup setup = make_setup_float(
      Length / 2, true, Type == vDSP_DCT_III ? vDSP_DFT_INVERSE : vDSP_DFT_FORWARD);
  if (!setup) return NULL;
  const long count = (long)Length, steps = count / 2 + 1;
  setup->cosine_type = Type;
  setup->turns = malloc(2 * (size_t)steps * sizeof(float));
  if (!setup->turns) {
    vDSP_DFT_DestroySetup(setup);
    return NULL;
  }
  // Types II and III turn bin k by k / 4N, type IV by (8k + 1) / 16N.
  const bool is_fourth = Type == vDSP_DCT_IV;
  for (long k = 0; k < steps; k++) {
    const long index = is_fourth ? 8 * k + 1 : k, turn = is_fourth ? 16 * count : 4 * count;
    setup->turns[k] = (float)turn_float(index, turn, false);
    setup->turns[steps + k] = (float)turn_float(index, turn, true);
  }
  return setup;
}

// The input in the order of its even elements, then its odd ones backwards, is packed for a real
// transform; its bins, turned, are the result and its mirror image.
static void cosine2(const struct vDSP_DFT_SetupStruct *setup, float *memory, const float *input,
                    float *output) {
  const long half = setup->plan.count, count = 2 * half, steps = half + 1;
  float *re = PART(6, half), *im = PART(7, half);
  for (long k = 0; k < half; k++) {
    const long even = 2 * k, odd = 2 * k + 1;
    re[k] = input[even < half ? 2 * even : 2 * (count - 1 - even) + 1];
    im[k] = input[odd < half ? 2 * odd : 2 * (count - 1 - odd) + 1];
  }
  const Numbers_float packed = {re, im, 1};
  real_transform_float(&setup->plan, memory, packed, packed, kFFTDirection_Forward);
  // The spectrum is twice the sums.
  const float *cosines = setup->turns, *sines = setup->turns + steps;
  output[0] = 0.5f * re[0];
  output[half] = 0.5f * im[0] * cosines[half];
  for (long k = 1; k < half; k++) {
    output[k] = 0.5f * (re[k] * cosines[k] - im[k] * sines[k]);
    output[count - k] = -0.5f * (re[k] * sines[k] + im[k] * cosines[k]);
  }
}

// The same steps backwards.
static void cosine3(const struct vDSP_DFT_SetupStruct *setup, float *memory, const float *input,
                    float *output) {
  const long half = setup->plan.count, count = 2 * half, steps = half + 1;
  float *re = PART(6, half), *im = PART(7, half);
  const float *cosines = setup->turns, *sines = setup->turns + steps;
  re[0] = 0.5f * input[0];
  im[0] = input[half] * cosines[half];
  for (long k = 1; k < half; k++) {
    const float a = 0.5f * input[k], b = 0.5f * input[count - k];
    re[k] = a * cosines[k] - b * sines[k];
    im[k] = -(a * sines[k] + b * cosines[k]);
  }
  const Numbers_float packed = {re, im, 1};
  real_transform_float(&setup->plan, memory, packed, packed, kFFTDirection_Inverse);
  for (long k = 0; k < half; k++) {
    const long even = 2 * k, odd = 2 * k + 1;
    output[even < half ? 2 * even : 2 * (count - 1 - even) + 1] = re[k];
    output[odd < half ? 2 * odd : 2 * (count - 1 - odd) + 1] = im[k];
  }
}

static void cosine4(const struct vDSP_DFT_SetupStruct *setup, float *memory, const float *input,
                    float *output) {
  const long half = setup->plan.count, count = 2 * half, steps = half + 1;
  float *re = PART(4, half), *im = PART(5, half);
  const float *cosines = setup->turns, *sines = setup->turns + steps;
  for (long k = 0; k < half; k++) {
    const float a = input[2 * k], b = input[count - 1 - 2 * k];
    re[k] = a * cosines[k] - b * sines[k];
    im[k] = a * sines[k] + b * cosines[k];
  }
  const Numbers_float packed = {re, im, 1};
  complex_transform_float(&setup->plan, memory, packed, packed);
  for (long k = 0; k < half; k++) {
    output[2 * k] = re[k] * cosines[k] - im[k] * sines[k];
    output[count - 1 - 2 * k] = -(re[k] * sines[k] + im[k] * cosines[k]);
  }
}

void vDSP_DCT_Execute(const struct vDSP_DFT_SetupStruct *Setup, const float *Input,
                      float *Output) {
  Work_float *work = (Work_float *)&Setup->work;
  float *memory = begin_float(work);
  switch (Setup->cosine_type) {
    case vDSP_DCT_II:
      cosine2(Setup, memory, Input, Output);
      break;
    case vDSP_DCT_III:
      cosine3(Setup, memory, Input, Output);
      break;
    case vDSP_DCT_IV:
      cosine4(Setup, memory, Input, Output);
      break;
    default:
      stop("vDSP_DCT_Execute has a setup of another transform");
  }
  end_float(work, memory);
}
