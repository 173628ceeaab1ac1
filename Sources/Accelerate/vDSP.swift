// SPDX-License-Identifier: Apache-2.0

/// Signal processing on vectors: the functions of vDSP.h for Swift's collections. [any thread]
///
/// Vectors of one call have equal counts unless stated otherwise; other counts end the program.
/// Functions that return a new array allocate; those with `result` do not, and may be called on a
/// render thread with buffer pointers.
public enum vDSP {
  /// A number of elements.
  public typealias Length = vDSP_Length
  /// The distance of successive elements.
  public typealias Stride = vDSP_Stride
}

/// Ends the program with a sentence unless a condition is met: unlike `precondition`, with the sentence
/// also in a build with optimisation. [any thread]
func require(_ isMet: Bool, _ sentence: @autoclosure () -> String) {
  guard isMet else { fatalError("Accelerate: " + sentence()) }
}

extension AccelerateBuffer {
  /// Calls a function with the address of the elements, unless there are none.
  func read(_ body: (UnsafePointer<Element>) -> Void) {
    withUnsafeBufferPointer { elements in
      if let address = elements.baseAddress, !elements.isEmpty { body(address) }
    }
  }

  /// Ends the program unless this has `count` elements.
  func expect(_ count: Int) {
    require(self.count == count, "a vector of \(self.count) elements, not of \(count)")
  }
}

extension AccelerateMutableBuffer {
  /// Calls a function with the address of the elements, unless there are none.
  mutating func write(_ body: (UnsafeMutablePointer<Element>) -> Void) {
    withUnsafeMutableBufferPointer { elements in
      if let address = elements.baseAddress, !elements.isEmpty { body(address) }
    }
  }
}

extension Array {
  /// An array of elements that a function stores at an address.
  init(vector count: Int, _ body: (UnsafeMutablePointer<Element>) -> Void) {
    self.init(unsafeUninitializedCapacity: count) { elements, initialized in
      if let address = elements.baseAddress, count > 0 { body(address) }
      initialized = count
    }
  }
}
