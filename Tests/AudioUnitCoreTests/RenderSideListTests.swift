// SPDX-License-Identifier: Apache-2.0

@testable import AudioSupport
@testable import AudioUnitCore
import CAudioToolbox
import Testing

@Suite("Lists that a unit publishes for render threads")
struct RenderSideListTests {
  private let parts = Parts()
  private var pending: PendingWork { parts.side.pointee.pending }

  private func notify(_ context: Int) -> RenderCallback {
    RenderCallback({ _, _, _, _, _, _ in noErr }, UnsafeMutableRawPointer(bitPattern: context))
  }

  @Test("renders have notifications to call as long as the list is not empty")
  func notifies() {
    var list = NotifyList(parts.side)
    let (one, two) = (notify(8), notify(16))
    list.add(one, isQuiet: { true })
    list.add(one, isQuiet: { true })
    list.add(two, isQuiet: { true })
    #expect(pending.has(.notifies))
    list.remove(one, isQuiet: { true })
    #expect(pending.has(.notifies), "two remains")
    list.remove(two, isQuiet: { true })
    #expect(!pending.has(.notifies))
  }

  @Test("adding a notification again publishes nothing; a replaced list waits for its readers")
  func again() {
    var list = NotifyList(parts.side)
    list.add(notify(8), isQuiet: { false })
    #expect(parts.side.pointee.notifies.retiredCount == 1)
    list.add(notify(8), isQuiet: { false })
    #expect(parts.side.pointee.notifies.retiredCount == 1)
    list.add(notify(16), isQuiet: { true })
    #expect(parts.side.pointee.notifies.retiredCount == 0)
  }

  @Test("a prepared source is in effect after the swap, and the old one is freed when it retires")
  func sources() throws {
    var sources = SourcePublisher(parts.side)
    let inputs = parts.elements.inputs
    sources.publish(inputs, isQuiet: { true })
    #expect(!parts.side.pointee.sourceTable.hasSource(1))
    let consumer = UnitInstance(component: Self.component)
    var callback = AURenderCallbackStruct()
    callback.inputProc = { _, _, _, _, _, _ in noErr }
    inputs[1].setSource(.callback(callback), nil, of: consumer)
    let change = sources.prepare(inputs, nil)
    #expect(!parts.side.pointee.sourceTable.hasSource(1), "not before the swap")
    let swap = try #require(SourceSwap.allocate([change]))
    swap.applyNow()
    swap.deallocate()
    #expect(parts.side.pointee.sourceTable.hasSource(1))
    #expect(parts.side.pointee.sources.retiredCount == 1)
    sources.retire(isQuiet: { true })
    #expect(parts.side.pointee.sources.retiredCount == 0)
    inputs[1].removeSource(of: consumer)
    sources.publish(inputs, isQuiet: { true })
    #expect(!parts.side.pointee.sourceTable.hasSource(1))
  }

  private static let component = Component(
    AudioComponentDescription(
      componentType: kAudioUnitType_Effect, componentSubType: code("list"),
      componentManufacturer: maker, componentFlags: 0, componentFlagsMask: 0),
    name: "Tests: List", version: 1
  ) { _, _ throws(AudioError) in throw .unimplemented }
}
