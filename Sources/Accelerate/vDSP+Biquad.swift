// SPDX-License-Identifier: Apache-2.0

/// Numbers that `vDSP.Biquad` filters: Float and Double.
public protocol vDSP_FloatingPointBiquadFilterable: VectorNumber {
  /// The C functions of the filter. [any thread]
  static var biquadFunctions: BiquadFunctions<Self> { get }
}

/// The C functions of filters of second-order sections.
public struct BiquadFunctions<Number>: Sendable {
  typealias Input = UnsafePointer<Number>
  typealias Output = UnsafeMutablePointer<Number>
  let create: @Sendable (UnsafePointer<Double>, UInt, UInt) -> OpaquePointer?
  let destroy: @Sendable (OpaquePointer?) -> Void
  let copyState: @Sendable (OpaquePointer, OpaquePointer) -> Void
  let apply:
    @Sendable (
      OpaquePointer, UnsafeMutablePointer<Input>, Int, UnsafeMutablePointer<Output>, Int, UInt
    ) -> Void
}

extension Float: vDSP_FloatingPointBiquadFilterable {
  public static var biquadFunctions: BiquadFunctions<Float> {
    .init(
      create: vDSP_biquadm_CreateSetup, destroy: vDSP_biquadm_DestroySetup,
      copyState: vDSP_biquadm_CopyState, apply: vDSP_biquadm)
  }
}

extension Double: vDSP_FloatingPointBiquadFilterable {
  public static var biquadFunctions: BiquadFunctions<Double> {
    .init(
      create: vDSP_biquadm_CreateSetupD, destroy: vDSP_biquadm_DestroySetupD,
      copyState: vDSP_biquadm_CopyStateD, apply: vDSP_biquadmD)
  }
}

extension vDSP {
  /// A filter of second-order sections, which remembers the end of its input from call to call.
  ///
  /// A section has five coefficients, b0, b1, b2, a1 and a2; those of the first section come first, for
  /// each channel. The input has its channels one after the other, each of equal count.
  public struct Biquad<T: vDSP_FloatingPointBiquadFilterable>: @unchecked Sendable {
    private var cascade: Cascade

    /// [control thread] Nil unless there are 5 coefficients for each section and channel, of which
    /// there is at least one.
    public init?(
      coefficients: [Double], channelCount: vDSP_Length, sectionCount: vDSP_Length, ofType: T.Type
    ) {
      guard let cascade = Cascade(coefficients, channelCount, sectionCount) else { return nil }
      self.cascade = cascade
    }

    /// [one thread at a time] Filters the input to the output, which has as many elements and may be
    /// the same memory.
    public mutating func apply<U: AccelerateBuffer, V: AccelerateMutableBuffer>(
      input: U, output: inout V
    ) where U.Element == T, V.Element == T {
      // A copy of this filter goes on with the history of its own.
      if !isKnownUniquelyReferenced(&cascade) { cascade = cascade.copy() }
      output.expect(input.count)
      let frameCount = input.count / cascade.channelCount
      require(
        frameCount * cascade.channelCount == input.count,
        "\(input.count) elements are not equally many for \(cascade.channelCount) channels")
      input.read { input in output.write { cascade.apply(input, $0, frameCount) } }
    }

    /// [one thread at a time] Filters the input.
    public mutating func apply<U: AccelerateBuffer>(input: U) -> [T] where U.Element == T {
      var output = [T](repeating: 0, count: input.count)
      apply(input: input, output: &output)
      return output
    }

    /// The setup of the C functions, with the addresses of the channels of a call.
    private final class Cascade {
      let channelCount: Int
      private let coefficients: [Double]
      private let setup: OpaquePointer
      private let inputs: UnsafeMutablePointer<UnsafePointer<T>>
      private let outputs: UnsafeMutablePointer<UnsafeMutablePointer<T>>

      init?(_ coefficients: [Double], _ channelCount: UInt, _ sectionCount: UInt) {
        let (cells, overflows) = channelCount.multipliedReportingOverflow(by: sectionCount)
        guard !overflows, cells > 0, UInt(coefficients.count) / 5 == cells,
          coefficients.count % 5 == 0,
          let setup = T.biquadFunctions.create(coefficients, sectionCount, channelCount)
        else { return nil }
        self.coefficients = coefficients
        self.channelCount = Int(channelCount)
        self.setup = setup
        inputs = .allocate(capacity: Int(channelCount))
        outputs = .allocate(capacity: Int(channelCount))
      }

      deinit {
        T.biquadFunctions.destroy(setup)
        inputs.deallocate()
        outputs.deallocate()
      }

      func copy() -> Cascade {
        let sectionCount = coefficients.count / 5 / channelCount
        guard let other = Cascade(coefficients, UInt(channelCount), UInt(sectionCount)) else {
          fatalError("Accelerate: no memory for the copy of a filter")
        }
        T.biquadFunctions.copyState(other.setup, setup)
        return other
      }

      func apply(_ input: UnsafePointer<T>, _ output: UnsafeMutablePointer<T>, _ frameCount: Int) {
        for channel in 0..<channelCount {
          (inputs + channel).initialize(to: input + channel * frameCount)
          (outputs + channel).initialize(to: output + channel * frameCount)
        }
        T.biquadFunctions.apply(setup, inputs, 1, outputs, 1, UInt(frameCount))
      }
    }
  }
}
