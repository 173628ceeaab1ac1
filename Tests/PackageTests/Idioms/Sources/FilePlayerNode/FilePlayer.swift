// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: NeverForceUnwrap, NeverUseImplicitlyUnwrappedOptionals

import AudioToolbox

struct OSError: Error { let status: OSStatus }

func throwing(_ status: OSStatus) throws {
  if status != noErr { throw OSError(status: status) }
}

final class FilePlayer: @unchecked Sendable {
  private var playerUnit: AudioUnit!
  private var outputUnit: AudioUnit!
  private var audioFile: AudioFileID!
  var result: OSStatus?

  init(url: URL) throws {
    playerUnit = try Self.unit(kAudioUnitType_Generator, kAudioUnitSubType_AudioFilePlayer)
    outputUnit = try Self.unit(kAudioUnitType_Output, kAudioUnitSubType_DefaultOutput)
    var connection = AudioUnitConnection(
      sourceAudioUnit: playerUnit, sourceOutputNumber: 0, destInputNumber: 0)
    try throwing(
      AudioUnitSetProperty(
        outputUnit, kAudioUnitProperty_MakeConnection, kAudioUnitScope_Input, 0, &connection,
        UInt32(MemoryLayout<AudioUnitConnection>.size)))
    try throwing(AudioUnitInitialize(playerUnit))
    try throwing(AudioUnitInitialize(outputUnit))
    try throwing(AudioFileOpenURL(url as CFURL, .readPermission, 0, &audioFile))
    try throwing(
      AudioUnitSetProperty(
        playerUnit, kAudioUnitProperty_ScheduledFileIDs, kAudioUnitScope_Global, 0, &audioFile,
        UInt32(MemoryLayout<AudioFileID>.size)))
  }

  func play() throws {
    var timeStamp = AudioTimeStamp()
    timeStamp.mFlags = .sampleTimeValid
    timeStamp.mSampleTime = 0
    var region = ScheduledAudioFileRegion(
      mTimeStamp: timeStamp,
      mCompletionProc: { userData, _, result in
        let player = Unmanaged<FilePlayer>.fromOpaque(userData!).takeUnretainedValue()
        DispatchQueue.global().async { player.result = result }
      },
      mCompletionProcUserData: Unmanaged.passUnretained(self).toOpaque(),
      mAudioFile: audioFile, mLoopCount: 1, mStartFrame: 0, mFramesToPlay: UInt32.max)
    try throwing(
      AudioUnitSetProperty(
        playerUnit, kAudioUnitProperty_ScheduledFileRegion, kAudioUnitScope_Global, 0, &region,
        UInt32(MemoryLayout<ScheduledAudioFileRegion>.size)))
    var primeFrames: UInt32 = 0
    try throwing(
      AudioUnitSetProperty(
        playerUnit, kAudioUnitProperty_ScheduledFilePrime, kAudioUnitScope_Global, 0, &primeFrames,
        UInt32(MemoryLayout<UInt32>.size)))
    timeStamp.mSampleTime = -1
    try throwing(
      AudioUnitSetProperty(
        playerUnit, kAudioUnitProperty_ScheduleStartTimeStamp, kAudioUnitScope_Global, 0,
        &timeStamp,
        UInt32(MemoryLayout<AudioTimeStamp>.size)))
    try throwing(AudioOutputUnitStart(outputUnit))
  }

  func stop() {
    AudioOutputUnitStop(outputUnit)
    AudioUnitReset(playerUnit, kAudioUnitScope_Global, 0)
    AudioComponentInstanceDispose(outputUnit)
    AudioComponentInstanceDispose(playerUnit)
    AudioFileClose(audioFile)
  }

  private static func unit(_ type: OSType, _ subType: OSType) throws -> AudioUnit? {
    var description = AudioComponentDescription(
      componentType: type, componentSubType: subType,
      componentManufacturer: kAudioUnitManufacturer_Apple, componentFlags: 0, componentFlagsMask: 0)
    var unit: AudioUnit?
    guard let component = AudioComponentFindNext(nil, &description) else {
      throw OSError(status: kAudioUnitErr_InvalidElement)
    }
    try throwing(AudioComponentInstanceNew(component, &unit))
    return unit
  }
}

func writeTone(to url: URL, frequency: Double, amplitude: Double, seconds: Int) throws {
  var format = AudioStreamBasicDescription(
    mSampleRate: 44_100, mFormatID: kAudioFormatLinearPCM,
    mFormatFlags: kAudioFormatFlagIsFloat | kAudioFormatFlagIsPacked, mBytesPerPacket: 4,
    mFramesPerPacket: 1, mBytesPerFrame: 4, mChannelsPerFrame: 1, mBitsPerChannel: 32, mReserved: 0)
  var file: ExtAudioFileRef?
  try throwing(
    ExtAudioFileCreateWithURL(
      url as CFURL, kAudioFileCAFType, &format, nil, AudioFileFlags.eraseFile.rawValue, &file))
  var samples = (0..<44_100 * seconds).map {
    Float32(amplitude * sin(2 * .pi * frequency * Double($0) / 44_100))
  }
  let count = UInt32(samples.count)
  try samples.withUnsafeMutableBytes { bytes in
    var list = AudioBufferList(
      mNumberBuffers: 1,
      mBuffers: AudioBuffer(
        mNumberChannels: 1, mDataByteSize: UInt32(bytes.count), mData: bytes.baseAddress))
    try throwing(ExtAudioFileWrite(file!, count, &list))
  }
  try throwing(ExtAudioFileDispose(file!))
}
