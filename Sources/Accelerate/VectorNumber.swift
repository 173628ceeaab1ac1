// SPDX-License-Identifier: Apache-2.0

/// The C functions of a type of numbers, by which generic functions of `vDSP` call them.
public struct VectorFunctions<Number>: Sendable {
  typealias Input = UnsafePointer<Number>
  typealias Output = UnsafeMutablePointer<Number>

  typealias Binary = @Sendable (Input, Int, Input, Int, Output, Int, UInt) -> Void
  typealias WithNumber = @Sendable (Input, Int, Input, Output, Int, UInt) -> Void
  typealias FromNumber = @Sendable (Input, Input, Int, Output, Int, UInt) -> Void
  typealias Ternary = @Sendable (Input, Int, Input, Int, Input, Int, Output, Int, UInt) -> Void
  typealias TwoWithNumber = @Sendable (Input, Int, Input, Int, Input, Output, Int, UInt) -> Void
  typealias NumberBetween = @Sendable (Input, Int, Input, Input, Int, Output, Int, UInt) -> Void
  typealias WithNumbers = @Sendable (Input, Int, Input, Input, Output, Int, UInt) -> Void
  typealias Four =
    @Sendable (Input, Int, Input, Int, Input, Int, Input, Int, Output, Int, UInt) -> Void
  typealias Unary = @Sendable (Input, Int, Output, Int, UInt) -> Void
  typealias Reduction = @Sendable (Input, Int, Output, UInt) -> Void
  typealias Search = @Sendable (Input, Int, Output, UnsafeMutablePointer<UInt>, UInt) -> Void
  typealias ProductSum = @Sendable (Input, Int, Input, Int, Output, UInt) -> Void
  typealias Window = @Sendable (Output, UInt, Int32) -> Void
  typealias Ramp = @Sendable (Input, Input, Output, Int, UInt) -> Void
  typealias Sliding = @Sendable (Input, Int, Output, Int, UInt, UInt) -> Void
  typealias Table = @Sendable (Input, Input, Int, Output, Int, UInt, UInt) -> Void
  typealias Filter = @Sendable (Input, Int, Input, Int, Output, Int, UInt, UInt) -> Void

  let vadd: Binary
  let vsub: Binary
  let vmul: Binary
  let vdiv: Binary
  let vmax: Binary
  let vmin: Binary
  let vdist: Binary
  let vtmerg: Binary
  let vsadd: WithNumber
  let vsmul: WithNumber
  let vsdiv: WithNumber
  let vthr: WithNumber
  let vthres: WithNumber
  let vrsum: WithNumber
  let vtrapz: WithNumber
  let vsimps: WithNumber
  let svdiv: FromNumber
  let vindex: FromNumber
  let vam: Ternary
  let vsbm: Ternary
  let vma: Ternary
  let vmsb: Ternary
  let venvlp: Ternary
  let vasm: TwoWithNumber
  let vsbsm: TwoWithNumber
  let vmsa: TwoWithNumber
  let vintb: TwoWithNumber
  let vsma: NumberBetween
  let vsmsb: NumberBetween
  let vsmsa: WithNumbers
  let vsmsma: @Sendable (Input, Int, Input, Input, Int, Input, Output, Int, UInt) -> Void
  let vclip: WithNumbers
  let viclip: WithNumbers
  let vthrsc: WithNumbers
  let vlim: WithNumbers
  let vaam: Four
  let vsbsbm: Four
  let vasbm: Four
  let vmma: Four
  let vmmsb: Four
  let vpythg: Four
  let vneg: Unary
  let vabs: Unary
  let vnabs: Unary
  let vsq: Unary
  let vssq: Unary
  let vfrac: Unary
  let polar: Unary
  let rect: Unary
  let sve: Reduction
  let svemg: Reduction
  let svesq: Reduction
  let meanv: Reduction
  let meamgv: Reduction
  let measqv: Reduction
  let rmsqv: Reduction
  let maxv: Reduction
  let minv: Reduction
  let maxmgv: Reduction
  let minmgv: Reduction
  let maxvi: Search
  let minvi: Search
  let maxmgvi: Search
  let dotpr: ProductSum
  let distancesq: ProductSum
  let hannWindow: Window
  let hammWindow: Window
  let blkmanWindow: Window
  let vramp: Ramp
  let vgen: Ramp
  let vswsum: Sliding
  let vswmax: Sliding
  let vlint: Table
  let vgenp: @Sendable (Input, Int, Input, Int, Output, Int, UInt, UInt) -> Void
  let vtabi: @Sendable (Input, Int, Input, Input, Input, UInt, Output, Int, UInt) -> Void
  let conv: Filter
  let vclr: @Sendable (Output, Int, UInt) -> Void
  let vfill: @Sendable (Input, Output, Int, UInt) -> Void
  let vrvrs: @Sendable (Output, Int, UInt) -> Void
  let vswap: @Sendable (Output, Int, Output, Int, UInt) -> Void
  let vsort: @Sendable (Output, UInt, Int32) -> Void
  let vgathr: @Sendable (Input, UnsafePointer<UInt>, Int, Output, Int, UInt) -> Void
  let vcmprs: @Sendable (Input, Int, Input, Int, Output, Int, UInt) -> Void
  let sveSvesq: @Sendable (Input, Int, Output, Output, UInt) -> Void
  let normalize: @Sendable (Input, Int, Output?, Int, Output, Output, UInt) -> Void
  let nzcros:
    @Sendable (Input, Int, UInt, UnsafeMutablePointer<UInt>, UnsafeMutablePointer<UInt>, UInt) ->
      Void
  let vrampmul: @Sendable (Input, Int, Output, Input, Output, Int, UInt) -> Void
  let desamp: @Sendable (Input, Int, Input, Output, UInt, UInt) -> Void
  let vdbcon: @Sendable (Input, Int, Input, Output, Int, UInt, UInt32) -> Void
  let vpoly: @Sendable (Input, Int, Input, Int, Output, Int, UInt, UInt) -> Void
  let vaddsub: @Sendable (Input, Int, Input, Int, Output, Int, Output, Int, UInt) -> Void
  let deq22: @Sendable (Input, Int, Input, Output, Int, UInt) -> Void
  let vrampmul2: @Sendable (Input, Input, Int, Output, Input, Output, Output, Int, UInt) -> Void
}

extension VectorFunctions<Float> {
  static let all = VectorFunctions(
    vadd: vDSP_vadd,
    vsub: vDSP_vsub,
    vmul: vDSP_vmul,
    vdiv: vDSP_vdiv,
    vmax: vDSP_vmax,
    vmin: vDSP_vmin,
    vdist: vDSP_vdist,
    vtmerg: vDSP_vtmerg,
    vsadd: vDSP_vsadd,
    vsmul: vDSP_vsmul,
    vsdiv: vDSP_vsdiv,
    vthr: vDSP_vthr,
    vthres: vDSP_vthres,
    vrsum: vDSP_vrsum,
    vtrapz: vDSP_vtrapz,
    vsimps: vDSP_vsimps,
    svdiv: vDSP_svdiv,
    vindex: vDSP_vindex,
    vam: vDSP_vam,
    vsbm: vDSP_vsbm,
    vma: vDSP_vma,
    vmsb: vDSP_vmsb,
    venvlp: vDSP_venvlp,
    vasm: vDSP_vasm,
    vsbsm: vDSP_vsbsm,
    vmsa: vDSP_vmsa,
    vintb: vDSP_vintb,
    vsma: vDSP_vsma,
    vsmsb: vDSP_vsmsb,
    vsmsa: vDSP_vsmsa,
    vsmsma: vDSP_vsmsma,
    vclip: vDSP_vclip,
    viclip: vDSP_viclip,
    vthrsc: vDSP_vthrsc,
    vlim: vDSP_vlim,
    vaam: vDSP_vaam,
    vsbsbm: vDSP_vsbsbm,
    vasbm: vDSP_vasbm,
    vmma: vDSP_vmma,
    vmmsb: vDSP_vmmsb,
    vpythg: vDSP_vpythg,
    vneg: vDSP_vneg,
    vabs: vDSP_vabs,
    vnabs: vDSP_vnabs,
    vsq: vDSP_vsq,
    vssq: vDSP_vssq,
    vfrac: vDSP_vfrac,
    polar: vDSP_polar,
    rect: vDSP_rect,
    sve: vDSP_sve,
    svemg: vDSP_svemg,
    svesq: vDSP_svesq,
    meanv: vDSP_meanv,
    meamgv: vDSP_meamgv,
    measqv: vDSP_measqv,
    rmsqv: vDSP_rmsqv,
    maxv: vDSP_maxv,
    minv: vDSP_minv,
    maxmgv: vDSP_maxmgv,
    minmgv: vDSP_minmgv,
    maxvi: vDSP_maxvi,
    minvi: vDSP_minvi,
    maxmgvi: vDSP_maxmgvi,
    dotpr: vDSP_dotpr,
    distancesq: vDSP_distancesq,
    hannWindow: vDSP_hann_window,
    hammWindow: vDSP_hamm_window,
    blkmanWindow: vDSP_blkman_window,
    vramp: vDSP_vramp,
    vgen: vDSP_vgen,
    vswsum: vDSP_vswsum,
    vswmax: vDSP_vswmax,
    vlint: vDSP_vlint,
    vgenp: vDSP_vgenp,
    vtabi: vDSP_vtabi,
    conv: vDSP_conv,
    vclr: vDSP_vclr,
    vfill: vDSP_vfill,
    vrvrs: vDSP_vrvrs,
    vswap: vDSP_vswap,
    vsort: vDSP_vsort,
    vgathr: vDSP_vgathr,
    vcmprs: vDSP_vcmprs,
    sveSvesq: vDSP_sve_svesq,
    normalize: vDSP_normalize,
    nzcros: vDSP_nzcros,
    vrampmul: vDSP_vrampmul,
    desamp: vDSP_desamp,
    vdbcon: vDSP_vdbcon,
    vpoly: vDSP_vpoly,
    vaddsub: vDSP_vaddsub,
    deq22: vDSP_deq22,
    vrampmul2: vDSP_vrampmul2)
}

extension VectorFunctions<Double> {
  static let all = VectorFunctions(
    vadd: vDSP_vaddD,
    vsub: vDSP_vsubD,
    vmul: vDSP_vmulD,
    vdiv: vDSP_vdivD,
    vmax: vDSP_vmaxD,
    vmin: vDSP_vminD,
    vdist: vDSP_vdistD,
    vtmerg: vDSP_vtmergD,
    vsadd: vDSP_vsaddD,
    vsmul: vDSP_vsmulD,
    vsdiv: vDSP_vsdivD,
    vthr: vDSP_vthrD,
    vthres: vDSP_vthresD,
    vrsum: vDSP_vrsumD,
    vtrapz: vDSP_vtrapzD,
    vsimps: vDSP_vsimpsD,
    svdiv: vDSP_svdivD,
    vindex: vDSP_vindexD,
    vam: vDSP_vamD,
    vsbm: vDSP_vsbmD,
    vma: vDSP_vmaD,
    vmsb: vDSP_vmsbD,
    venvlp: vDSP_venvlpD,
    vasm: vDSP_vasmD,
    vsbsm: vDSP_vsbsmD,
    vmsa: vDSP_vmsaD,
    vintb: vDSP_vintbD,
    vsma: vDSP_vsmaD,
    vsmsb: vDSP_vsmsbD,
    vsmsa: vDSP_vsmsaD,
    vsmsma: vDSP_vsmsmaD,
    vclip: vDSP_vclipD,
    viclip: vDSP_viclipD,
    vthrsc: vDSP_vthrscD,
    vlim: vDSP_vlimD,
    vaam: vDSP_vaamD,
    vsbsbm: vDSP_vsbsbmD,
    vasbm: vDSP_vasbmD,
    vmma: vDSP_vmmaD,
    vmmsb: vDSP_vmmsbD,
    vpythg: vDSP_vpythgD,
    vneg: vDSP_vnegD,
    vabs: vDSP_vabsD,
    vnabs: vDSP_vnabsD,
    vsq: vDSP_vsqD,
    vssq: vDSP_vssqD,
    vfrac: vDSP_vfracD,
    polar: vDSP_polarD,
    rect: vDSP_rectD,
    sve: vDSP_sveD,
    svemg: vDSP_svemgD,
    svesq: vDSP_svesqD,
    meanv: vDSP_meanvD,
    meamgv: vDSP_meamgvD,
    measqv: vDSP_measqvD,
    rmsqv: vDSP_rmsqvD,
    maxv: vDSP_maxvD,
    minv: vDSP_minvD,
    maxmgv: vDSP_maxmgvD,
    minmgv: vDSP_minmgvD,
    maxvi: vDSP_maxviD,
    minvi: vDSP_minviD,
    maxmgvi: vDSP_maxmgviD,
    dotpr: vDSP_dotprD,
    distancesq: vDSP_distancesqD,
    hannWindow: vDSP_hann_windowD,
    hammWindow: vDSP_hamm_windowD,
    blkmanWindow: vDSP_blkman_windowD,
    vramp: vDSP_vrampD,
    vgen: vDSP_vgenD,
    vswsum: vDSP_vswsumD,
    vswmax: vDSP_vswmaxD,
    vlint: vDSP_vlintD,
    vgenp: vDSP_vgenpD,
    vtabi: vDSP_vtabiD,
    conv: vDSP_convD,
    vclr: vDSP_vclrD,
    vfill: vDSP_vfillD,
    vrvrs: vDSP_vrvrsD,
    vswap: vDSP_vswapD,
    vsort: vDSP_vsortD,
    vgathr: vDSP_vgathrD,
    vcmprs: vDSP_vcmprsD,
    sveSvesq: vDSP_sve_svesqD,
    normalize: vDSP_normalizeD,
    nzcros: vDSP_nzcrosD,
    vrampmul: vDSP_vrampmulD,
    desamp: vDSP_desampD,
    vdbcon: vDSP_vdbconD,
    vpoly: vDSP_vpolyD,
    vaddsub: vDSP_vaddsubD,
    deq22: vDSP_deq22D,
    vrampmul2: vDSP_vrampmul2D)
}

/// A type of numbers with vector functions: Float and Double.
public protocol VectorNumber: BinaryFloatingPoint {
  /// The functions of these numbers. [any thread]
  static var vectorFunctions: VectorFunctions<Self> { get }
}

extension Float: VectorNumber {
  public static var vectorFunctions: VectorFunctions<Float> { .all }
}

extension Double: VectorNumber {
  public static var vectorFunctions: VectorFunctions<Double> { .all }
}
