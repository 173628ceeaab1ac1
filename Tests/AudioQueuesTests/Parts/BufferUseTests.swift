// SPDX-License-Identifier: Apache-2.0
import CRealTime
import Testing

@testable import AudioQueues

@Suite("Use of a queue's buffers")
struct BufferUseTests {
  /// The number of a thread that does not exist.
  private let other = UInt64.max

  @Test("knows the thread that uses the buffers")
  func using() {
    var use = BufferUse()
    #expect(!use.isBusy && !use.isOfThisThread)
    use.begin(other)
    #expect(use.isBusy && !use.isOfThisThread)
    use.end()
    use.begin()
    #expect(use.isBusy && use.isOfThisThread && !use.isHaltedByThisThread)
    use.end()
    #expect(!use.isBusy && !use.isOfThisThread)
  }

  @Test("knows the thread that halts the others, even before the work of one has ended")
  func halting() {
    var use = BufferUse()
    use.begin(other)
    use.halt()
    #expect(use.isHalted && use.isBusy && use.isHaltedByThisThread && use.isOfThisThread)
    use.end()
    #expect(use.isHalted && !use.isBusy)
    use.resume()
    #expect(!use.isHalted && !use.isOfThisThread)
  }

  @Test("refuses buffers only while all are returned")
  func returning() {
    var use = BufferUse()
    use.beginReturn()
    use.halt()
    use.resume()
    #expect(use.returnsBuffers)
    use.endReturn()
    #expect(!use.returnsBuffers)
  }
}
