// SPDX-License-Identifier: Apache-2.0

import AudioToolbox
import Foundation

/// A program that has lost its mind, the same one for the same number: it calls any function with any
/// arguments, also from inside its own callbacks and listeners.
final class RandomProgram: @unchecked Sendable {
  /// One function, as this program calls it.
  typealias Call = (name: String, make: @Sendable (RandomProgram) -> Void)

  private(set) var complaints: [String] = []
  /// The names of the calls that were made, the last one at the end.
  private(set) var journal: [String] = []
  private var random: UInt64
  private let thread = pthread_self()
  private var depth = 0

  // Those that live, and those that were.
  var units: [AudioUnit] = []
  var deadUnits: [AudioUnit] = []
  var graphs: [AUGraph] = []
  var deadGraphs: [AUGraph] = []
  var listeners: [AUParameterListenerRef] = []
  var deadListeners: [AUParameterListenerRef] = []

  /// Samples for lists of buffers.
  let memory: UnsafeMutablePointer<Float>
  static let listFrames = 2_048
  /// A gigabyte that must not be looked at.
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

  /// Inside a callback: makes some calls now and then.
  fileprivate func callBack() {
    // Devices and the notifier call on threads of their own.
    guard pthread_equal(thread, pthread_self()) != 0, depth < 2, next() % 4 == 0 else { return }
    depth += 1
    for _ in 0..<2 { call() }
    depth -= 1
  }

  /// Ends everything.
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

  /// True once in so many times.
  func isOne(in count: UInt64) -> Bool { next() % count == 0 }

  /// Mostly one that lives; else one that was, or never was one.
  func handle<Handle>(_ living: [Handle], _ dead: [Handle]) -> Handle {
    let invented: Handle = fromBits(UInt(next() | 1))
    switch next() % 16 {
    case 0: return dead.isEmpty ? invented : pick(dead)
    case 1: return invented
    case 2: return fromBits(0)
    default: return living.isEmpty ? invented : pick(living)
    }
  }

  var unit: AudioUnit { handle(units, deadUnits) }
  var graph: AUGraph { handle(graphs, deadGraphs) }
  var listener: AUParameterListenerRef { handle(listeners, deadListeners) }
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

  /// A null pointer now and then, whatever the type says.
  func maybeNull<Pointer>(_ pointer: Pointer) -> Pointer {
    isOne(in: 24) ? fromBits(0) : pointer
  }

  /// A pointer of any bits.
  func fromBits<Pointer>(_ bits: UInt) -> Pointer { unsafeBitCast(bits, to: Pointer.self) }

  /// Objects of every kind that a program might confuse; they live as long as the process.
  nonisolated(unsafe) static let objects: [AnyObject] = [
    "name" as NSString, "" as NSString, NSNumber(value: 7), NSData(), NSArray(),
    NSArray(object: NSNumber(value: 1)), NSDictionary(),
    NSDictionary(object: NSNumber(value: 1), forKey: NSArray()),
    NSDictionary(object: "x" as NSString, forKey: "name" as NSString),
  ]

  /// The address of an object, perhaps of the wrong kind, or null.
  var object: UInt {
    isOne(in: 8) ? 0 : UInt(bitPattern: Unmanaged.passUnretained(pick(Self.objects)).toOpaque())
  }

  // MARK: What is called back

  static let render: AURenderCallback = { context, flags, _, _, frames, data in
    guard UInt(bitPattern: context) != 0 else { return noErr }
    let program = Unmanaged<RandomProgram>.fromOpaque(context).takeUnretainedValue()
    program.callBack()
    return noErr
  }

  static let heard: AudioUnitPropertyListenerProc = { context, _, _, _, _ in
    guard UInt(bitPattern: context) != 0 else { return }
    Unmanaged<RandomProgram>.fromOpaque(context).takeUnretainedValue().callBack()
  }

  // MARK: Lists of buffers

  /// A list of so many buffers with memory for the frames, without, or with some.
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
