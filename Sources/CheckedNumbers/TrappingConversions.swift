// SPDX-License-Identifier: Apache-2.0

// The conversions of numbers that end the process if the value does not fit. In files that begin with
// `@_spi(TrappingConversions) import CheckedNumbers`, which handle numbers of files, arguments and
// devices, each use of them is a warning, and an error where warnings are errors: there a number is
// converted by `Outside`, `exactly:`, `clamping:`, `saturating:` or `truncatingIfNeeded:`.
//
// Without the name of the interface they would count wherever this module is loaded, in all targets
// above those that import it, and in render code, which cannot call them.
//
// A declaration here takes precedence over that of the standard library with the same arguments.

extension Int {
  @available(*, deprecated, message: "may not fit: use Outside, exactly:, or saturating:")
  @_spi(TrappingConversions) public init(_ value: Double) { self.init(saturating: value) }
  @available(*, deprecated, message: "may not fit: use Outside, exactly:, or saturating:")
  @_spi(TrappingConversions) public init(_ value: Float) { self.init(saturating: value) }
  @available(*, deprecated, message: "may not fit: use Outside, exactly:, or clamping:")
  @_spi(TrappingConversions) public init(_ value: UInt64) { self.init(clamping: value) }
  @available(*, deprecated, message: "may not fit: use Outside, exactly:, or clamping:")
  @_spi(TrappingConversions) public init(_ value: UInt) { self.init(clamping: value) }
}

extension Int64 {
  @available(*, deprecated, message: "may not fit: use Outside, exactly:, or saturating:")
  @_spi(TrappingConversions) public init(_ value: Double) { self.init(saturating: value) }
  @available(*, deprecated, message: "may not fit: use Outside, exactly:, or saturating:")
  @_spi(TrappingConversions) public init(_ value: Float) { self.init(saturating: value) }
  @available(*, deprecated, message: "may not fit: use Outside, exactly:, or clamping:")
  @_spi(TrappingConversions) public init(_ value: UInt64) { self.init(clamping: value) }
  @available(*, deprecated, message: "may not fit: use Outside, exactly:, or clamping:")
  @_spi(TrappingConversions) public init(_ value: UInt) { self.init(clamping: value) }
}

extension Int32 {
  @available(*, deprecated, message: "may not fit: use Outside, exactly:, or saturating:")
  @_spi(TrappingConversions) public init(_ value: Double) { self.init(saturating: value) }
  @available(*, deprecated, message: "may not fit: use Outside, exactly:, or saturating:")
  @_spi(TrappingConversions) public init(_ value: Float) { self.init(saturating: value) }
  @available(*, deprecated, message: "may not fit: use Outside, exactly:, or clamping:")
  @_spi(TrappingConversions) public init(_ value: Int64) { self.init(clamping: value) }
  @available(*, deprecated, message: "may not fit: use Outside, exactly:, or clamping:")
  @_spi(TrappingConversions) public init(_ value: Int) { self.init(clamping: value) }
  @available(*, deprecated, message: "may not fit: use Outside, exactly:, or clamping:")
  @_spi(TrappingConversions) public init(_ value: UInt32) { self.init(clamping: value) }
  @available(*, deprecated, message: "may not fit: use Outside, exactly:, or clamping:")
  @_spi(TrappingConversions) public init(_ value: UInt64) { self.init(clamping: value) }
  @available(*, deprecated, message: "may not fit: use Outside, exactly:, or clamping:")
  @_spi(TrappingConversions) public init(_ value: UInt) { self.init(clamping: value) }
}

extension Int16 {
  @available(*, deprecated, message: "may not fit: use Outside, exactly:, or saturating:")
  @_spi(TrappingConversions) public init(_ value: Double) { self.init(saturating: value) }
  @available(*, deprecated, message: "may not fit: use Outside, exactly:, or saturating:")
  @_spi(TrappingConversions) public init(_ value: Float) { self.init(saturating: value) }
  @available(*, deprecated, message: "may not fit: use Outside, exactly:, or clamping:")
  @_spi(TrappingConversions) public init(_ value: Int32) { self.init(clamping: value) }
  @available(*, deprecated, message: "may not fit: use Outside, exactly:, or clamping:")
  @_spi(TrappingConversions) public init(_ value: Int64) { self.init(clamping: value) }
  @available(*, deprecated, message: "may not fit: use Outside, exactly:, or clamping:")
  @_spi(TrappingConversions) public init(_ value: Int) { self.init(clamping: value) }
  @available(*, deprecated, message: "may not fit: use Outside, exactly:, or clamping:")
  @_spi(TrappingConversions) public init(_ value: UInt16) { self.init(clamping: value) }
  @available(*, deprecated, message: "may not fit: use Outside, exactly:, or clamping:")
  @_spi(TrappingConversions) public init(_ value: UInt32) { self.init(clamping: value) }
  @available(*, deprecated, message: "may not fit: use Outside, exactly:, or clamping:")
  @_spi(TrappingConversions) public init(_ value: UInt64) { self.init(clamping: value) }
  @available(*, deprecated, message: "may not fit: use Outside, exactly:, or clamping:")
  @_spi(TrappingConversions) public init(_ value: UInt) { self.init(clamping: value) }
}

extension Int8 {
  @available(*, deprecated, message: "may not fit: use Outside, exactly:, or saturating:")
  @_spi(TrappingConversions) public init(_ value: Double) { self.init(saturating: value) }
  @available(*, deprecated, message: "may not fit: use Outside, exactly:, or saturating:")
  @_spi(TrappingConversions) public init(_ value: Float) { self.init(saturating: value) }
  @available(*, deprecated, message: "may not fit: use Outside, exactly:, or clamping:")
  @_spi(TrappingConversions) public init(_ value: Int16) { self.init(clamping: value) }
  @available(*, deprecated, message: "may not fit: use Outside, exactly:, or clamping:")
  @_spi(TrappingConversions) public init(_ value: Int32) { self.init(clamping: value) }
  @available(*, deprecated, message: "may not fit: use Outside, exactly:, or clamping:")
  @_spi(TrappingConversions) public init(_ value: Int64) { self.init(clamping: value) }
  @available(*, deprecated, message: "may not fit: use Outside, exactly:, or clamping:")
  @_spi(TrappingConversions) public init(_ value: Int) { self.init(clamping: value) }
  @available(*, deprecated, message: "may not fit: use Outside, exactly:, or clamping:")
  @_spi(TrappingConversions) public init(_ value: UInt8) { self.init(clamping: value) }
  @available(*, deprecated, message: "may not fit: use Outside, exactly:, or clamping:")
  @_spi(TrappingConversions) public init(_ value: UInt16) { self.init(clamping: value) }
  @available(*, deprecated, message: "may not fit: use Outside, exactly:, or clamping:")
  @_spi(TrappingConversions) public init(_ value: UInt32) { self.init(clamping: value) }
  @available(*, deprecated, message: "may not fit: use Outside, exactly:, or clamping:")
  @_spi(TrappingConversions) public init(_ value: UInt64) { self.init(clamping: value) }
  @available(*, deprecated, message: "may not fit: use Outside, exactly:, or clamping:")
  @_spi(TrappingConversions) public init(_ value: UInt) { self.init(clamping: value) }
}

extension UInt {
  @available(*, deprecated, message: "may not fit: use Outside, exactly:, or saturating:")
  @_spi(TrappingConversions) public init(_ value: Double) { self.init(saturating: value) }
  @available(*, deprecated, message: "may not fit: use Outside, exactly:, or saturating:")
  @_spi(TrappingConversions) public init(_ value: Float) { self.init(saturating: value) }
  @available(*, deprecated, message: "may not fit: use Outside, exactly:, or clamping:")
  @_spi(TrappingConversions) public init(_ value: Int8) { self.init(clamping: value) }
  @available(*, deprecated, message: "may not fit: use Outside, exactly:, or clamping:")
  @_spi(TrappingConversions) public init(_ value: Int16) { self.init(clamping: value) }
  @available(*, deprecated, message: "may not fit: use Outside, exactly:, or clamping:")
  @_spi(TrappingConversions) public init(_ value: Int32) { self.init(clamping: value) }
  @available(*, deprecated, message: "may not fit: use Outside, exactly:, or clamping:")
  @_spi(TrappingConversions) public init(_ value: Int64) { self.init(clamping: value) }
  @available(*, deprecated, message: "may not fit: use Outside, exactly:, or clamping:")
  @_spi(TrappingConversions) public init(_ value: Int) { self.init(clamping: value) }
}

extension UInt64 {
  @available(*, deprecated, message: "may not fit: use Outside, exactly:, or saturating:")
  @_spi(TrappingConversions) public init(_ value: Double) { self.init(saturating: value) }
  @available(*, deprecated, message: "may not fit: use Outside, exactly:, or saturating:")
  @_spi(TrappingConversions) public init(_ value: Float) { self.init(saturating: value) }
  @available(*, deprecated, message: "may not fit: use Outside, exactly:, or clamping:")
  @_spi(TrappingConversions) public init(_ value: Int8) { self.init(clamping: value) }
  @available(*, deprecated, message: "may not fit: use Outside, exactly:, or clamping:")
  @_spi(TrappingConversions) public init(_ value: Int16) { self.init(clamping: value) }
  @available(*, deprecated, message: "may not fit: use Outside, exactly:, or clamping:")
  @_spi(TrappingConversions) public init(_ value: Int32) { self.init(clamping: value) }
  @available(*, deprecated, message: "may not fit: use Outside, exactly:, or clamping:")
  @_spi(TrappingConversions) public init(_ value: Int64) { self.init(clamping: value) }
  @available(*, deprecated, message: "may not fit: use Outside, exactly:, or clamping:")
  @_spi(TrappingConversions) public init(_ value: Int) { self.init(clamping: value) }
}

extension UInt32 {
  @available(*, deprecated, message: "may not fit: use Outside, exactly:, or saturating:")
  @_spi(TrappingConversions) public init(_ value: Double) { self.init(saturating: value) }
  @available(*, deprecated, message: "may not fit: use Outside, exactly:, or saturating:")
  @_spi(TrappingConversions) public init(_ value: Float) { self.init(saturating: value) }
  @available(*, deprecated, message: "may not fit: use Outside, exactly:, or clamping:")
  @_spi(TrappingConversions) public init(_ value: Int8) { self.init(clamping: value) }
  @available(*, deprecated, message: "may not fit: use Outside, exactly:, or clamping:")
  @_spi(TrappingConversions) public init(_ value: Int16) { self.init(clamping: value) }
  @available(*, deprecated, message: "may not fit: use Outside, exactly:, or clamping:")
  @_spi(TrappingConversions) public init(_ value: Int32) { self.init(clamping: value) }
  @available(*, deprecated, message: "may not fit: use Outside, exactly:, or clamping:")
  @_spi(TrappingConversions) public init(_ value: Int64) { self.init(clamping: value) }
  @available(*, deprecated, message: "may not fit: use Outside, exactly:, or clamping:")
  @_spi(TrappingConversions) public init(_ value: Int) { self.init(clamping: value) }
  @available(*, deprecated, message: "may not fit: use Outside, exactly:, or clamping:")
  @_spi(TrappingConversions) public init(_ value: UInt64) { self.init(clamping: value) }
  @available(*, deprecated, message: "may not fit: use Outside, exactly:, or clamping:")
  @_spi(TrappingConversions) public init(_ value: UInt) { self.init(clamping: value) }
}

extension UInt16 {
  @available(*, deprecated, message: "may not fit: use Outside, exactly:, or saturating:")
  @_spi(TrappingConversions) public init(_ value: Double) { self.init(saturating: value) }
  @available(*, deprecated, message: "may not fit: use Outside, exactly:, or saturating:")
  @_spi(TrappingConversions) public init(_ value: Float) { self.init(saturating: value) }
  @available(*, deprecated, message: "may not fit: use Outside, exactly:, or clamping:")
  @_spi(TrappingConversions) public init(_ value: Int8) { self.init(clamping: value) }
  @available(*, deprecated, message: "may not fit: use Outside, exactly:, or clamping:")
  @_spi(TrappingConversions) public init(_ value: Int16) { self.init(clamping: value) }
  @available(*, deprecated, message: "may not fit: use Outside, exactly:, or clamping:")
  @_spi(TrappingConversions) public init(_ value: Int32) { self.init(clamping: value) }
  @available(*, deprecated, message: "may not fit: use Outside, exactly:, or clamping:")
  @_spi(TrappingConversions) public init(_ value: Int64) { self.init(clamping: value) }
  @available(*, deprecated, message: "may not fit: use Outside, exactly:, or clamping:")
  @_spi(TrappingConversions) public init(_ value: Int) { self.init(clamping: value) }
  @available(*, deprecated, message: "may not fit: use Outside, exactly:, or clamping:")
  @_spi(TrappingConversions) public init(_ value: UInt32) { self.init(clamping: value) }
  @available(*, deprecated, message: "may not fit: use Outside, exactly:, or clamping:")
  @_spi(TrappingConversions) public init(_ value: UInt64) { self.init(clamping: value) }
  @available(*, deprecated, message: "may not fit: use Outside, exactly:, or clamping:")
  @_spi(TrappingConversions) public init(_ value: UInt) { self.init(clamping: value) }
}

extension UInt8 {
  @available(*, deprecated, message: "may not fit: use Outside, exactly:, or saturating:")
  @_spi(TrappingConversions) public init(_ value: Double) { self.init(saturating: value) }
  @available(*, deprecated, message: "may not fit: use Outside, exactly:, or saturating:")
  @_spi(TrappingConversions) public init(_ value: Float) { self.init(saturating: value) }
  @available(*, deprecated, message: "may not fit: use Outside, exactly:, or clamping:")
  @_spi(TrappingConversions) public init(_ value: Int8) { self.init(clamping: value) }
  @available(*, deprecated, message: "may not fit: use Outside, exactly:, or clamping:")
  @_spi(TrappingConversions) public init(_ value: Int16) { self.init(clamping: value) }
  @available(*, deprecated, message: "may not fit: use Outside, exactly:, or clamping:")
  @_spi(TrappingConversions) public init(_ value: Int32) { self.init(clamping: value) }
  @available(*, deprecated, message: "may not fit: use Outside, exactly:, or clamping:")
  @_spi(TrappingConversions) public init(_ value: Int64) { self.init(clamping: value) }
  @available(*, deprecated, message: "may not fit: use Outside, exactly:, or clamping:")
  @_spi(TrappingConversions) public init(_ value: Int) { self.init(clamping: value) }
  @available(*, deprecated, message: "may not fit: use Outside, exactly:, or clamping:")
  @_spi(TrappingConversions) public init(_ value: UInt16) { self.init(clamping: value) }
  @available(*, deprecated, message: "may not fit: use Outside, exactly:, or clamping:")
  @_spi(TrappingConversions) public init(_ value: UInt32) { self.init(clamping: value) }
  @available(*, deprecated, message: "may not fit: use Outside, exactly:, or clamping:")
  @_spi(TrappingConversions) public init(_ value: UInt64) { self.init(clamping: value) }
  @available(*, deprecated, message: "may not fit: use Outside, exactly:, or clamping:")
  @_spi(TrappingConversions) public init(_ value: UInt) { self.init(clamping: value) }
}
