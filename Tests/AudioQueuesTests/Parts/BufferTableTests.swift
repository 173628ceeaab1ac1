// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox
import Testing

@testable import AudioQueues

@Suite("Buffers of a queue")
struct BufferTableTests {
  private func status(_ body: () throws(AudioError) -> Void) -> OSStatus {
    do throws(AudioError) { try body() } catch { return error.status }
    return noErr
  }

  @Test("have at least a byte and at most a gibibyte")
  func sizes() throws {
    for size: UInt32 in [1, 1 << 10] {
      #expect(try BufferTable.make(byteCount: size, descriptionCount: 0).capacity == Int(size))
    }
    for size: UInt32 in [0, 1 << 30 + 1, .max] {
      #expect(
        status { () throws(AudioError) in
          _ = try BufferTable.make(byteCount: size, descriptionCount: 0)
        } == kAudio_ParamError)
    }
  }

  @Test("cannot be freed while enqueued, nor twice")
  func freeing() throws {
    var table = BufferTable()
    let buffer = try BufferTable.make(byteCount: 16, descriptionCount: 0)
    let reference = buffer.reference
    table.add(buffer)
    #expect(try table.buffer(reference) === buffer)
    buffer.isEnqueued = true
    var statuses = [status { () throws(AudioError) in try table.free(reference) }]
    buffer.isEnqueued = false
    for _ in 0..<2 {
      statuses.append(status { () throws(AudioError) in try table.free(reference) })
    }
    #expect(statuses == [kAudioQueueErr_BufferInQueue, noErr, kAudioQueueErr_InvalidBuffer])
  }

  @Test("are passed to no callback after they are freed, even inside one")
  func callbacks() throws {
    var table = BufferTable()
    let buffer = try BufferTable.make(byteCount: 16, descriptionCount: 0)
    table.add(buffer)
    #expect(buffer.beginCallback())
    try table.free(buffer.reference)
    #expect(!buffer.beginCallback())
    buffer.endCallback()
  }
}
