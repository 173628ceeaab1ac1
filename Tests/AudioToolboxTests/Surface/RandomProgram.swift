// SPDX-License-Identifier: Apache-2.0

import AudioToolbox
import Foundation

/// Calls any function with any arguments, also from inside its own callbacks and listeners; the
/// same round makes the same calls.
final class RandomProgram: @unchecked Sendable {
  /// One function with its random arguments.
  typealias Call = (name: String, make: @Sendable (RandomProgram) -> Void)

  private(set) var complaints: [String] = []
  /// The names of the calls that were made, the last one at the end.
  private(set) var journal: [String] = []
  private var random: UInt64
  private let thread = pthread_self()
  private var depth = 0

  // Valid handles, and disposed ones.
  var units: [AudioUnit] = []
  var disposedUnits: [AudioUnit] = []
  var graphs: [AUGraph] = []
  var disposedGraphs: [AUGraph] = []
  var listeners: [AUParameterListenerRef] = []
  var disposedListeners: [AUParameterListenerRef] = []

  /// Samples for buffer lists.
  let memory: UnsafeMutablePointer<Float>
  static let listFrames = 2_048
  /// A gigabyte of memory that must not be read.
  nonisolated(unsafe) static let forbidden = UnsafeRawPointer(
    mmap(nil, 1 << 30, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0))

  init(round: UInt64) {
    random = (round + 1) &* 0x9e37_79b9_7f4a_7c15
    memory = .allocate(capacity: 8 * Self.listFrames)
    memory.initialize(repeating: 0.25, count: 8 * Self.listFrames)
  }

  deinit { memory.deallocate() }

  var context: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

  func complain(_ text: String) { complaints.append("\(text) after \(journal.suffix(12))") }

  // MARK: Calls

  static let all: [Call] = unitCalls + propertyCalls + graphCalls + otherCalls

  /// Makes one call.
  func call() {
    let call = pick(Self.all)
    journal.append(call.name)
    call.make(self)
  }

  /// Called inside a callback: sometimes makes some calls.
  fileprivate func callBack() {
    // Devices and the notifier use their own threads.
    guard pthread_equal(thread, pthread_self()) != 0, depth < 2, next() % 4 == 0 else { return }
    depth += 1
    for _ in 0..<2 { call() }
    depth -= 1
  }

  /// Disposes of everything.
  func finish() {
    for listener in listeners where AUListenerDispose(listener) != noErr {
      complain("a listener cannot be disposed of")
    }
    for graph in graphs where DisposeAUGraph(graph) != noErr {
      complain("a graph cannot be disposed of")
    }
    for unit in units where AudioComponentInstanceDispose(unit) != noErr {
      complain("a unit cannot be disposed of")
    }
    (listeners, graphs, units) = ([], [], [])
  }

  // MARK: Choices

  func next() -> UInt64 {
    random ^= random << 13
    random ^= random >> 7
    random ^= random << 17
    return random &* 0x2545_f491_4f6c_dd1d >> 11
  }

  func pick<Element>(_ all: [Element]) -> Element { all[Int(next() % UInt64(all.count))] }

  /// True with a probability of 1 in `count`.
  func isOne(in count: UInt64) -> Bool { next() % count == 0 }

  /// Usually a valid handle; otherwise null, an invented or a disposed one.
  func handle<Handle>(_ live: [Handle], _ disposed: [Handle]) -> Handle {
    let invented: Handle = fromBits(UInt(next() | 1))
    switch next() % 16 {
    case 0: return disposed.isEmpty ? invented : pick(disposed)
    case 1: return invented
    case 2: return fromBits(0)
    default: return live.isEmpty ? invented : pick(live)
    }
  }

  var unit: AudioUnit { handle(units, disposedUnits) }
  var graph: AUGraph { handle(graphs, disposedGraphs) }
  var listener: AUParameterListenerRef { handle(listeners, disposedListeners) }
  var scope: AudioUnitScope { pick([0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 7, .max]) }
  var element: AudioUnitElement { pick([0, 0, 0, 0, 0, 1, 2, 7, 63, 1_000_000, .max]) }
  var node: AUNode { pick([1, 1, 2, 2, 3, 4, 5, 0, -1, .max]) }
  var frames: UInt32 { pick([0, 1, 7, 64, 512, 512, 1156, 1157, 2_048, 5_000, .max]) }
  var number: Float {
    pick([
      0, 0.5, 1, -1, 20, 440, 12_000, 1e9, -1e9, 3e38, -3e38, .leastNonzeroMagnitude, .nan,
      .infinity, -.infinity,
    ])
  }
  var parameter: AudioUnitParameterID {
    pick([0, 0, 1, 1, 2, 3, 4, 5, 6, 7, 10, 14, 15, 1000, 2000, 2003, 3001, 4002, .max])
  }
  var property: AudioUnitPropertyID {
    isOne(in: 3) ? UInt32(next() % 4_000) : UInt32(next() % 70)
  }

  /// Sometimes a null pointer, even if the type is not optional.
  func maybeNull<Pointer>(_ pointer: Pointer) -> Pointer {
    isOne(in: 24) ? fromBits(0) : pointer
  }

  /// A pointer with the given bits.
  func fromBits<Pointer>(_ bits: UInt) -> Pointer { unsafeBitCast(bits, to: Pointer.self) }

  /// Objects of every type that a program might confuse; they live as long as the process.
  nonisolated(unsafe) static let objects: [AnyObject] = [
    "name" as NSString, "" as NSString, NSNumber(value: 7), NSData(), NSArray(),
    NSArray(object: NSNumber(value: 1)), NSDictionary(),
    NSDictionary(object: NSNumber(value: 1), forKey: NSArray()),
    NSDictionary(object: "x" as NSString, forKey: "name" as NSString),
  ]

  /// The address of an object, possibly of a wrong type, or null.
  var object: UInt {
    isOne(in: 8) ? 0 : UInt(bitPattern: Unmanaged.passUnretained(pick(Self.objects)).toOpaque())
  }

  // MARK: Callbacks

  static let render: AURenderCallback = { context, flags, _, _, frames, data in
    guard UInt(bitPattern: context) != 0 else { return noErr }
    let program = Unmanaged<RandomProgram>.fromOpaque(context).takeUnretainedValue()
    program.callBack()
    return noErr
  }

  static let propertyChanged: AudioUnitPropertyListenerProc = { context, _, _, _, _ in
    guard UInt(bitPattern: context) != 0 else { return }
    Unmanaged<RandomProgram>.fromOpaque(context).takeUnretainedValue().callBack()
  }

  // MARK: Buffer lists

  /// A list of a random number of buffers, of which all, some or none have memory for the frames.
  func list(_ frames: UInt32) -> UnsafeMutableAudioBufferListPointer {
    let count = pick([0, 1, 1, 2, 2, 2, 3, 8])
    let list = AudioBufferList.allocate(maximumBuffers: max(count, 1))
    list.count = count
    let kind = next() % 8
    let length = min(Int(frames), Self.listFrames)
    for index in 0..<count {
      let isEmpty = kind < 2 || (kind == 2 && isOne(in: 2))
      list[index] = AudioBuffer(
        mNumberChannels: isOne(in: 12) ? UInt32(next() % 4) : 1,
        mDataByteSize: UInt32(isOne(in: 12) ? length * 2 : length * 4),
        mData: isEmpty ? nil : UnsafeMutableRawPointer(memory + index * Self.listFrames))
    }
    for index in stride(from: 0, to: 8 * Self.listFrames, by: 97) { memory[index] = 0.25 }
    if isOne(in: 16) { memory[Int(next() % 64)] = number }
    return list
  }

  var stamp: AudioTimeStamp {
    var stamp = AudioTimeStamp()
    stamp.mSampleTime = pick([0, 0, 512, 512, 1e6, -1, 1e18, .nan, .infinity])
    stamp.mHostTime = pick([0, 1, .max])
    stamp.mFlags = pick([.sampleTimeValid, .sampleTimeValid, AudioTimeStampFlags(rawValue: 0)])
    return stamp
  }
}
