// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import Foundation

@testable import MIDIMessages

/// Loads a MIDI file, looks at its events, and writes what was read.
func readMIDIFile(_ bytes: [UInt8]) {
  var choices = Choices(bytes)
  let flags: MusicSequenceLoadFlags = choices.number(below: 2) == 0 ? [] : .smf_ChannelsToTracks
  var made: MusicSequence?
  guard NewMusicSequence(&made) == noErr, let sequence = made else { return }
  defer { DisposeMusicSequence(sequence) }
  let data = Data(choices.rest()) as NSData
  guard MusicSequenceFileLoadData(sequence, data, .midiType, flags) == noErr else { return }
  readTracks(sequence)
  _ = MusicSequenceGetInfoDictionary(sequence)
  var seconds = 0.0
  _ = MusicSequenceGetSecondsForBeats(sequence, 1_000, &seconds)
  require(seconds.isFinite && seconds >= 0, "1,000 beats take \(seconds) seconds")
  write(sequence, 480)
}

/// The events of all tracks must be in order.
private func readTracks(_ sequence: MusicSequence) {
  var count = UInt32(0)
  require(MusicSequenceGetTrackCount(sequence, &count) == noErr, "tracks")
  for index in 0..<min(count, 64) {
    var found: MusicTrack?
    guard MusicSequenceGetIndTrack(sequence, index, &found) == noErr, let track = found else {
      continue
    }
    var iterator: MusicEventIterator?
    guard NewMusicEventIterator(track, &iterator) == noErr, let iterator else { continue }
    defer { DisposeMusicEventIterator(iterator) }
    var (hasEvent, last) = (DarwinBoolean(false), -Double.infinity)
    _ = MusicEventIteratorHasCurrentEvent(iterator, &hasEvent)
    while hasEvent.boolValue {
      var (time, type, size) = (MusicTimeStamp(0), MusicEventType(0), UInt32(0))
      var event: UnsafeRawPointer?
      require(
        MusicEventIteratorGetEventInfo(iterator, &time, &type, &event, &size) == noErr, "event")
      require(time >= last, "event at \(time) after \(last)")
      last = time
      _ = MusicEventIteratorNextEvent(iterator)
      _ = MusicEventIteratorHasCurrentEvent(iterator, &hasEvent)
    }
  }
}

/// Writes a MIDI file, which must be readable.
private func write(_ sequence: MusicSequence, _ resolution: Int16) {
  var written: Unmanaged<CFData>?
  guard
    MusicSequenceFileCreateData(sequence, .midiType, [], resolution, &written) == noErr,
    let data = written?.takeRetainedValue()
  else { return }
  var made: MusicSequence?
  guard NewMusicSequence(&made) == noErr, let again = made else { return }
  defer { DisposeMusicSequence(again) }
  require(
    MusicSequenceFileLoadData(again, data, .midiType, []) == noErr, "what was written is unreadable"
  )
}

/// Edits the tracks of a sequence in any order, with any arguments.
func callSequences(_ bytes: [UInt8]) {
  var choices = Choices(bytes)
  var made: MusicSequence?
  guard NewMusicSequence(&made) == noErr, let sequence = made else { return }
  defer { DisposeMusicSequence(sequence) }
  var tracks: [MusicTrack] = []
  var first: MusicTrack?
  guard MusicSequenceNewTrack(sequence, &first) == noErr, let first else { return }
  tracks.append(first)
  for _ in 0..<48 where !choices.isEmpty {
    let track = choices.one(of: tracks)
    switch choices.number(below: 14) {
    case 0:
      var new: MusicTrack?
      if tracks.count < 8, MusicSequenceNewTrack(sequence, &new) == noErr, let new {
        tracks.append(new)
      }
    case 1, 2, 3: addEvent(to: track, &choices)
    case 4: _ = MusicTrackMoveEvents(track, choices.time(), choices.time(), choices.time())
    case 5: _ = MusicTrackClear(track, choices.time(), choices.time())
    case 6: _ = MusicTrackCut(track, choices.time(), choices.time())
    case 7:
      _ = MusicTrackCopyInsert(
        track, choices.time(), choices.time(), choices.one(of: tracks), choices.time())
    case 8:
      _ = MusicTrackMerge(
        track, choices.time(), choices.time(), choices.one(of: tracks), choices.time())
    case 9: iterate(track, &choices)
    case 10:
      // The functions ignore the size.
      var value = choices.next(16)
      value += [UInt8](repeating: 0, count: 16 - value.count)
      _ = MusicTrackSetProperty(
        track, UInt32(choices.number(below: 8)), &value, UInt32(value.count))
    case 11:
      let types: [MusicSequenceType] = [.beats, .seconds, .samples]
      _ = MusicSequenceSetSequenceType(sequence, choices.one(of: types))
    case 12: _ = MusicSequenceReverse(sequence)
    default:
      var (seconds, beats) = (0.0, 0.0)
      _ = MusicSequenceGetSecondsForBeats(sequence, choices.time(), &seconds)
      _ = MusicSequenceGetBeatsForSeconds(sequence, choices.time(), &beats)
      var bar = CABarBeatTime()
      _ = MusicSequenceBeatsToBarBeatTime(sequence, choices.time(), choices.word(), &bar)
      _ = MusicSequenceBarBeatTimeToBeats(sequence, &bar, &beats)
    }
  }
  readTracks(sequence)
  write(sequence, Int16(bitPattern: UInt16(truncatingIfNeeded: choices.word())))
}

private func addEvent(to track: MusicTrack, _ choices: inout Choices) {
  let time = choices.time()
  switch choices.number(below: 6) {
  case 0:
    var note = MIDINoteMessage(
      channel: choices.byte(), note: choices.byte(), velocity: choices.byte(),
      releaseVelocity: choices.byte(), duration: Float(choices.time()))
    _ = MusicTrackNewMIDINoteEvent(track, time, &note)
  case 1:
    var message = MIDIChannelMessage(
      status: choices.byte(), data1: choices.byte(), data2: choices.byte(), reserved: 0)
    _ = MusicTrackNewMIDIChannelEvent(track, time, &message)
  case 2: _ = MusicTrackNewExtendedTempoEvent(track, time, choices.double())
  case 3:
    var event = ParameterEvent(
      parameterID: choices.word(), scope: UInt32(choices.byte()), element: UInt32(choices.byte()),
      value: choices.float())
    _ = MusicTrackNewParameterEvent(track, time, &event)
  default:
    // An event with data: its length, and the bytes after it.
    let isMeta = choices.number(below: 2) == 0
    let type = choices.byte()
    let data = choices.next(choices.number(below: 24))
    let header = isMeta ? 8 : 4
    let memory = UnsafeMutableRawPointer.allocate(byteCount: header + 32, alignment: 8)
    defer { memory.deallocate() }
    memory.initializeMemory(as: UInt8.self, repeating: 0, count: header + 32)
    memory.storeBytes(of: isMeta ? UInt32(type) : UInt32(data.count), as: UInt32.self)
    if isMeta { memory.storeBytes(of: UInt32(data.count), toByteOffset: 4, as: UInt32.self) }
    (memory + header).copyMemory(from: data, byteCount: data.count)
    if isMeta {
      _ = MusicTrackNewMetaEvent(track, time, memory.assumingMemoryBound(to: MIDIMetaEvent.self))
    } else {
      _ = MusicTrackNewMIDIRawDataEvent(
        track, time, memory.assumingMemoryBound(to: MIDIRawData.self))
    }
  }
}

private func iterate(_ track: MusicTrack, _ choices: inout Choices) {
  var iterator: MusicEventIterator?
  guard NewMusicEventIterator(track, &iterator) == noErr, let iterator else { return }
  defer { DisposeMusicEventIterator(iterator) }
  for _ in 0..<choices.number(below: 8) {
    switch choices.number(below: 5) {
    case 0: _ = MusicEventIteratorSeek(iterator, choices.time())
    case 1: _ = MusicEventIteratorNextEvent(iterator)
    case 2: _ = MusicEventIteratorPreviousEvent(iterator)
    case 3: _ = MusicEventIteratorDeleteEvent(iterator)
    default: _ = MusicEventIteratorSetEventTime(iterator, choices.time())
    }
  }
}

/// Plays messages of MIDI 1.0 with an instrument.
func playMessages(_ bytes: [UInt8]) {
  var choices = Choices(bytes)
  let unit = OfflineUnit(kAudioUnitType_MusicDevice, kAudioUnitSubType_Sampler)
  guard let unit else { return }
  while !choices.isEmpty {
    let count = choices.number(below: 12)
    for _ in 0..<count {
      let (status, first, second) = (choices.byte(), choices.byte(), choices.byte())
      let offset = UInt32(choices.byte())
      if status == 0xF0 {
        let data = choices.next(choices.number(below: 64))
        _ = MusicDeviceSysEx(unit.handle, data, UInt32(data.count))
      } else {
        _ = MusicDeviceMIDIEvent(
          unit.handle, UInt32(status), UInt32(first), UInt32(second), offset)
      }
    }
    unit.render(choices.number(below: 256))
  }
}

/// Converts lists of messages between MIDI 1.0, its Universal MIDI Packets and MIDI 2.0.
func convertLists(_ bytes: [UInt8]) {
  var choices = Choices(bytes)
  let formats: [MessageFormat] = [.bytes, .events1, .events2]
  let source = choices.one(of: formats)
  var converters = formats.map { MessageListConverter(to: $0) }
  while !choices.isEmpty {
    var writer = MessageListWriter(source)
    for _ in 0..<1 + choices.number(below: 4) {
      let time = MIDITimeStamp(choices.byte())
      let part = choices.next(choices.number(below: 256))
      if source == .bytes {
        part.withUnsafeBufferPointer { writer.add($0, at: time) }
      } else {
        var words = Choices(part)
        let list = (0..<part.count / 4).map { _ in words.word() }
        list.withUnsafeBufferPointer { writer.add($0, at: time) }
      }
    }
    let list = writer.list()
    for index in converters.indices {
      guard let converted = converters[index].convert(list) else { continue }
      require(
        converted.byteCount <= 16 * list.byteCount + 4_096,
        "\(list.byteCount) bytes become \(converted.byteCount)")
      guard converted.format != .bytes else { continue }
      // Instruments read the same messages.
      var (reader, count) = (EventListReader(converted.events), 0)
      while reader.next() != nil { count += 1 }
      var expected = 0
      converted.forEachEvent { _, words in
        UniversalMessage.forEach(in: words) { _ in expected += 1 }
      }
      require(count == expected, "\(count) messages instead of \(expected)")
    }
  }
}
