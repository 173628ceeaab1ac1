// SPDX-License-Identifier: Apache-2.0

import CoreAudio
import Testing

@Suite("Buffer lists in Swift")
struct BufferListTests {
  @Test("a list of n buffers occupies 8 + 16 n bytes", arguments: [(1, 24), (2, 40), (64, 1032)])
  func size(count: Int, bytes: Int) {
    #expect(AudioBufferList.sizeInBytes(maximumBuffers: count) == bytes)
  }

  @Test("a new list is zero except for its count")
  func allocate() {
    let list = AudioBufferList.allocate(maximumBuffers: 3)
    defer { free(list.unsafeMutablePointer) }
    #expect(list.count == 3 && list.unsafePointer.pointee.mNumberBuffers == 3)
    #expect(
      list.allSatisfy { $0.mNumberChannels == 0 && $0.mDataByteSize == 0 && $0.mData == nil })
  }

  @Test("a list is a collection whose elements can be replaced")
  func collection() {
    let list = AudioBufferList.allocate(maximumBuffers: 3)
    defer { free(list.unsafeMutablePointer) }
    for index in list.indices { list[index].mNumberChannels = UInt32(10 + index) }
    #expect(list.map(\.mNumberChannels) == [10, 11, 12])
    #expect(
      list.startIndex == 0 && list.endIndex == 3 && list.reversed().first?.mNumberChannels == 12)
    #expect(list.unsafePointer.pointee.mBuffers.mNumberChannels == 10, "the first is C's own field")
    var copy = list
    copy.swapAt(0, 2)
    #expect(list[0].mNumberChannels == 12, "a copy of the pointer is the same list")
    list.count = 1
    #expect(list.map(\.mNumberChannels) == [12])
  }

  @Test("a pointer that may be null makes a list that may be nil")
  func optional() {
    let none: UnsafeMutablePointer<AudioBufferList>? = nil
    #expect(UnsafeMutableAudioBufferListPointer(none) == nil)
    var list = AudioBufferList()
    withUnsafeMutablePointer(to: &list) { pointer in
      let some: UnsafeMutablePointer<AudioBufferList>? = pointer
      #expect(UnsafeMutableAudioBufferListPointer(some)?.unsafeMutablePointer == pointer)
    }
  }

  @Test("a buffer has the byte count of its samples, and converts back to them")
  func buffer() {
    let memory = UnsafeMutableBufferPointer<Float>.allocate(capacity: 6)
    defer { memory.deallocate() }
    memory.initialize(repeating: 0.5)
    let buffer = AudioBuffer(memory, numberOfChannels: 2)
    #expect(buffer.mNumberChannels == 2 && buffer.mDataByteSize == 24)
    #expect(Array(UnsafeBufferPointer<Float>(buffer)) == Array(repeating: 0.5, count: 6))
    #expect(UnsafeMutableBufferPointer<Int16>(buffer).count == 12)
    #expect(UnsafeBufferPointer<Float>(AudioBuffer()).isEmpty)
    let noMemory = AudioBuffer(mNumberChannels: 1, mDataByteSize: 8, mData: nil)
    #expect(UnsafeBufferPointer<Float>(noMemory).isEmpty)
  }

  @Test("the names of Core Foundation are Foundation's classes")
  func coreFoundationNames() {
    let name: CFString = "name" as NSString
    let url: CFURL = NSURL(fileURLWithPath: "/tmp/x.wav")
    #expect(name == "name" && url.path == "/tmp/x.wav")
    let flag: DarwinBoolean = true
    #expect(flag.boolValue && DarwinBoolean(false) == false)
    #expect(type(of: flag) == Bool.self)
  }

  @Test("types are those of the C names")
  func types() {
    #expect(OSStatus.self == Int32.self && UInt32.self == AudioUnitElement.self)
    #expect(AudioUnitScope.self == UInt32.self && AudioUnitParameterValue.self == Float32.self)
    #expect(AudioUnit.self == AudioComponentInstance.self && Float64.self == Double.self)
    let busZero: UInt32 = 0
    let element: AudioUnitElement = busZero
    #expect(element == 0 && noErr == 0)
    #expect(MemoryLayout.size(ofValue: AURenderCallbackStruct()) == 16)
    #expect(MemoryLayout.size(ofValue: AudioStreamBasicDescription()) == 40)
    #expect(MemoryLayout<AudioUnitConnection>.size == 16)
  }

  @Test("fields that hold strings read and write them without counting references")
  func fields() {
    let text = NSString("text")
    let string = Unmanaged<CFString>.passUnretained(text)
    var preset = AUPreset(presetNumber: 7, presetName: string)
    #expect(preset.presetName?.takeUnretainedValue() == text)
    preset.presetName = nil
    #expect(preset.presetName == nil && preset.presetNumber == 7)
    var info = AudioUnitParameterInfo()
    #expect(info.cfNameString == nil && info.unitName == nil)
    (info.cfNameString, info.unitName) = (string, string)
    #expect(info.cfNameString?.takeUnretainedValue() == text)
    let name = AudioUnitParameterIDName(inID: 1, inDesiredLength: -1, outName: string)
    #expect(name.outName?.takeUnretainedValue() == text)
    let value: Float = 1
    withUnsafePointer(to: value) { value in
      let request = AudioUnitParameterStringFromValue(
        inParamID: 1, inValue: value, outString: string)
      #expect(request.outString?.takeUnretainedValue() == text)
    }
    var reply = AudioUnitParameterValueFromString(inParamID: 1, inString: string, outValue: 3)
    reply.inString = string
    #expect(reply.inString.takeUnretainedValue() == text)
    let host = AUHostVersionIdentifier(hostName: string, hostVersion: 2)
    #expect(host.hostName.takeUnretainedValue() == text)
    withExtendedLifetime(text) {}
  }
}
