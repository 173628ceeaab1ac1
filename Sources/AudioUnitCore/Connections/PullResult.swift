// SPDX-License-Identifier: Apache-2.0
import CAudioToolbox

/// The result of a pull, in one machine word.
package struct PullResult: BitwiseCopyable {
  package let status: OSStatus
  private var marks: UInt32

  @_noLocks @inline(__always)
  init(
    _ status: OSStatus, isSilent: Bool = false, canPassOn: Bool = false, isShared: Bool = false
  ) {
    self.status = status
    marks =
      (isSilent ? Self.silent : 0) | (canPassOn ? Self.passable : 0)
      | (isShared ? Self.shared : 0) | Self.done
  }

  @_noLocks @inline(__always)
  private init() {
    status = noErr
    marks = 0
  }

  /// The result as one integer, for C functions.
  @_noLocks @inline(__always)
  init(word: UInt64) {
    status = OSStatus(truncatingIfNeeded: word)
    marks = UInt32(truncatingIfNeeded: word >> 32)
  }
  var word: UInt64 {
    @_noLocks @inline(__always)
    get { UInt64(UInt32(bitPattern: status)) | UInt64(marks) << 32 }
  }

  /// The result if nothing was rendered and another path is needed.
  static var notTried: Self { @_noLocks @inline(__always) get { Self() } }

  /// Whether the source was pulled, successfully or not.
  var wasTried: Bool { @_noLocks @inline(__always) get { marks & Self.done != 0 } }

  /// Whether every sample is zero, as reported by the renderer that filled the buffers.
  var isSilent: Bool {
    @_noLocks @inline(__always) get { marks & Self.silent != 0 }
    @_noLocks set { marks = newValue ? marks | Self.silent : marks & ~Self.silent }
  }

  /// Whether the receiver may pass the memory on as its own output: the memory belongs to the
  /// receiver, or to a native unit that feeds no other.
  var canPassOn: Bool {
    @_noLocks @inline(__always) get { marks & Self.passable != 0 }
    @_noLocks @inline(__always)
    set { marks = newValue ? marks | Self.passable : marks & ~Self.passable }
  }

  /// Whether others read this memory too, so that the receiver must not write to it.
  var isShared: Bool {
    @_noLocks @inline(__always) get { marks & Self.shared != 0 }
    @_noLocks @inline(__always)
    set { marks = newValue ? marks | Self.shared : marks & ~Self.shared }
  }

  private static var done: UInt32 { @_noLocks @inline(__always) get { 1 } }
  private static var silent: UInt32 { @_noLocks @inline(__always) get { 2 } }
  private static var passable: UInt32 { @_noLocks @inline(__always) get { 4 } }
  private static var shared: UInt32 { @_noLocks @inline(__always) get { 8 } }
}
