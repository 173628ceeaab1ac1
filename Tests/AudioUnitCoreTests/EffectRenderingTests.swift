// SPDX-License-Identifier: Apache-2.0

import AudioToolbox
import Synchronization
import Testing

@Suite("An effect that renders")
struct EffectRenderingTests {
  private let silent = AudioUnitRenderActionFlags.unitRenderAction_OutputIsSilence

  private func fed(_ callback: Callback) throws -> Host {
    let host = try Host(.echo)
    #expect(host.feed(callback) == noErr)
    #expect(host.initialize() == noErr)
    return host
  }

  @Test("gives its callback the time, bus, length and buffers of the format that was set")
  func callbackArguments() throws {
    let callback = Callback { call in
      let buffers = Array(call.data)
      let isRight =
        call.time.mSampleTime == 480 && call.bus == 0 && call.frameCount == 5
        && buffers.count == 2
        && buffers.allSatisfy {
          $0.mNumberChannels == 1 && $0.mDataByteSize == 20 && $0.mData != nil
        }
      call.fill { _ in 1 }
      return isRight ? noErr : -1
    }
    #expect(try fed(callback).render(5, at: 480).status == noErr)
  }

  @Test("without input returns an error")
  func noConnection() throws {
    let host = try Host(.echo)
    #expect(host.initialize() == noErr)
    #expect(host.render(4).status == kAudioUnitErr_NoConnection)
    #expect(host.feed(.constant(1)) == noErr)
    #expect(host.render(4).status == noErr)
    #expect(
      host.set(
        kAudioUnitProperty_SetRenderCallback, AURenderCallbackStruct(), kAudioUnitScope_Input)
        == noErr)
    #expect(host.render(4, at: 4).status == kAudioUnitErr_NoConnection)
  }

  @Test("returns a callback's error unchanged, and stores it", arguments: [-1, 17, -10_863])
  func callbackError(error: OSStatus) throws {
    let host = try fed(Callback { _ in error })
    #expect(host.render(4).status == error)
    #expect(try host.get(kAudioUnitProperty_LastRenderError, as: OSStatus.self) == error)
  }

  @Test(
    "passes flags from the host to a callback behind another effect, and back", arguments: 0..<3
  )
  func flags(slice: Int) throws {
    let requested = AudioUnitRenderActionFlags(rawValue: 1 << 6)
    let returned = AudioUnitRenderActionFlags(rawValue: 1 << 11)
    let source = try fed(
      Callback { call in
        let isRequested = call.flags.pointee.contains(requested)
        call.flags.pointee.insert(returned)
        call.fill { _ in 1 }
        return isRequested ? noErr : -1
      })
    let host = try Host(.echo)
    #expect(host.connect(source) == noErr)
    #expect(host.initialize() == noErr)
    for time in 0...slice {
      let rendered = host.render(8, at: Double(8 * time), flags: requested)
      #expect(rendered.status == noErr)
      #expect(rendered.flags.contains(returned))
    }
  }

  @Test("uses the memory that a callback points to instead of its own")
  func redirected() throws {
    let memory = UnsafeMutablePointer<Float>.allocate(capacity: 4)
    defer { memory.deallocate() }
    memory.initialize(repeating: 0.25, count: 4)
    let address = UInt(bitPattern: memory)
    let callback = Callback { call in
      for index in call.data.indices {
        call.data[index].mData = UnsafeMutableRawPointer(bitPattern: address)
      }
      return noErr
    }
    #expect(try fed(callback).render(4)[0] == [0.25, 0.25, 0.25, 0.25])
  }

  @Test(
    "refuses a list that a callback returns without memory, too short, or with another shape",
    arguments: ["no memory", "short", "fewer", "more"])
  func malformed(what: String) throws {
    let callback = Callback { call in
      switch what {
      case "no memory": call.data[1].mData = nil
      case "short": call.data[1].mDataByteSize -= 4
      case "fewer": call.data.count = 1
      default: call.data.count = 100
      }
      return noErr
    }
    let host = try fed(callback)
    #expect(host.render(4).status == kAudioUnitErr_InvalidPropertyValue)
    #expect(host.feed(.constant(0.5)) == noErr)
    #expect(host.render(4, at: 4)[0] == [0.5, 0.5, 0.5, 0.5], "the next list is complete again")
  }

  @Test("has the same output in place or not", arguments: [true, false], [true, false])
  func inPlace(isInPlace: Bool, intoOwn: Bool) throws {
    let host = try fed(.signal { Float($0 % 3) })
    #expect(host.set(kAudioUnitProperty_InPlaceProcessing, UInt32(isInPlace ? 1 : 0)) == noErr)
    let rendered = host.render(8, intoOwn: intoOwn)
    let expected: [Float] = [0, 1, 2, 0, 1, 2.5, 1, 1]
    #expect(rendered[0] == expected && rendered[1] == expected)
  }

  @Test("in place renders in its input's memory, otherwise does not change it")
  func memory() throws {
    for isInPlace in [true, false] {
      let memory = UnsafeMutablePointer<Float>.allocate(capacity: 8)
      defer { memory.deallocate() }
      memory.initialize(repeating: 1, count: 8)
      let address = UInt(bitPattern: memory)
      let callback = Callback { call in
        for index in call.data.indices {
          call.data[index].mData = UnsafeMutableRawPointer(bitPattern: address + UInt(index) * 16)
        }
        return noErr
      }
      let host = try fed(callback)
      #expect(host.setParameter(0, 0.5) == noErr)
      #expect(host.set(kAudioUnitProperty_InPlaceProcessing, UInt32(isInPlace ? 1 : 0)) == noErr)
      let rendered = host.render(4, intoOwn: true)
      #expect(rendered[1] == [0.5, 0.5, 0.5, 0.5])
      #expect(memory[7] == (isInPlace ? 0.5 : 1))
      #expect((UInt(bitPattern: rendered.buffers.list[1].mData) == address + 16) == isInPlace)
    }
  }

  @Test("keeps running for its tail after silent input, then promises silence")
  func tail() throws {
    let callback = Callback { call in
      let start = Int(call.time.mSampleTime)
      call.fill { start + $0 == 1 ? 1 : 0 }
      if start > 1 { call.flags.pointee.insert(.unitRenderAction_OutputIsSilence) }
      return noErr
    }
    let host = try fed(callback)
    let slices = (0..<5).map { host.render(2, at: Double($0) * 2) }
    #expect(slices.flatMap { $0[0] } == [0, 1, 0, 0, 0, 0.5, 0, 0, 0, 0])
    #expect(slices.map(\.isSilent) == [false, false, false, true, true])
  }

  @Test("writes zeros when it promises silence, whatever the input left in its buffers")
  func zeros() throws {
    let callback = Callback { call in
      call.fill { _ in 77 }
      call.flags.pointee.insert(.unitRenderAction_OutputIsSilence)
      return noErr
    }
    let host = try fed(callback)
    for isInPlace in [1, 0] as [UInt32] {
      #expect(host.set(kAudioUnitProperty_InPlaceProcessing, isInPlace) == noErr)
      for slice in 0..<4 {
        let rendered = host.render(4, at: Double(slice) * 4 + Double(isInPlace) * 100)
        #expect(rendered[0] == [0, 0, 0, 0])
      }
    }
  }

  @Test("does not mistake a silence flag from the caller for silence of its input")
  func staleFlag() throws {
    let host = try fed(.constant(1))
    for slice in 0..<4 {
      let rendered = host.render(4, at: Double(slice) * 4, flags: silent)
      #expect(rendered[0].allSatisfy { $0 >= 1 })
      #expect(!rendered.isSilent)
    }
  }

  @Test("returns the same silence flag again for the same time")
  func cachedFlag() throws {
    let callback = Callback { call in
      call.fill { _ in 0 }
      call.flags.pointee.insert(.unitRenderAction_OutputIsSilence)
      return noErr
    }
    let host = try fed(callback)
    for slice in 0..<4 { _ = host.render(4, at: Double(slice) * 4) }
    #expect(host.render(4, at: 12).isSilent)
    #expect(host.feed(.constant(1)) == noErr)
    #expect(!host.render(4, at: 16).isSilent)
    #expect(!host.render(4, at: 16, flags: silent).isSilent)
  }

  @Test("passes empty buffers to a callback if it does not allocate its own")
  func noAllocation() throws {
    let memory = UnsafeMutablePointer<Float>.allocate(capacity: 4)
    defer { memory.deallocate() }
    memory.initialize(repeating: 0.5, count: 4)
    let address = UInt(bitPattern: memory)
    let callback = Callback { call in
      guard call.data.allSatisfy({ $0.mData == nil && $0.mDataByteSize == 16 }) else { return -1 }
      guard call.time.mSampleTime == 0 else { return noErr }
      for index in call.data.indices {
        call.data[index].mData = UnsafeMutableRawPointer(bitPattern: address)
      }
      return noErr
    }
    let host = try Host(.echo)
    #expect(
      host.set(kAudioUnitProperty_ShouldAllocateBuffer, UInt32(0), kAudioUnitScope_Input) == noErr)
    #expect(host.feed(callback) == noErr)
    #expect(host.initialize() == noErr)
    #expect(host.render(4)[0] == [0.5, 0.5, 0.5, 0.5])
    #expect(host.render(4, at: 4).status == kAudioUnitErr_InvalidPropertyValue)
  }

  @Test("has the same output with any slice size", arguments: [1, 3, 64, 1000])
  func sliceSize(slice: Int) throws {
    let host = try fed(.signal { Float(($0 * 7919) % 101) / 101 })
    var samples: [Float] = []
    while samples.count < 1000 {
      samples += host.render(min(slice, 1000 - samples.count), at: Double(samples.count))[0]
    }
    let whole = try fed(.signal { Float(($0 * 7919) % 101) / 101 }).render(1000)[0]
    #expect(samples == whole)
  }
}
