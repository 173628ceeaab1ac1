// SPDX-License-Identifier: Apache-2.0
// Plays a sound file on the default output: PlayFile FILE
//
// A graph of a file player and an output unit. The order of the player's settings matters: its
// files, the region to play, priming, and the start time.
import AVFoundation
import ExampleSupport

run("PlayFile FILE") { arguments in
  let path = try arguments.text("FILE")
  _ = try activateSession(.playback)
  var opened: AudioFileID?
  try check(
    AudioFileOpenURL(URL(fileURLWithPath: path) as CFURL, .readPermission, 0, &opened))
  let file = try some(opened)
  defer { AudioFileClose(file) }
  var format = AudioStreamBasicDescription()
  var size = UInt32(MemoryLayout.size(ofValue: format))
  try check(AudioFileGetProperty(file, kAudioFilePropertyDataFormat, &size, &format))

  let graph = try makeGraph()
  let playerNode = try addNode(
    graph, kAudioUnitType_Generator, kAudioUnitSubType_AudioFilePlayer)
  let outputNode = try addNode(graph, kAudioUnitType_Output, kAudioUnitSubType_DefaultOutput)
  try check(AUGraphOpen(graph))
  let player = try unit(graph, playerNode)
  // At the file's rate: the output unit converts it to that of the device.
  try setProperty(
    player, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, 0,
    floatFormat(sampleRate: format.mSampleRate, channels: format.mChannelsPerFrame))
  try check(AUGraphConnectNodeInput(graph, playerNode, 0, outputNode, 0))
  try check(AUGraphInitialize(graph))

  try setProperty(player, kAudioUnitProperty_ScheduledFileIDs, kAudioUnitScope_Global, 0, file)
  let over = DispatchSemaphore(value: 0)
  let context = Unmanaged.passUnretained(over).toOpaque()
  var region = ScheduledAudioFileRegion(
    mTimeStamp: AudioTimeStamp(), mCompletionProc: regionEnded,
    mCompletionProcUserData: context, mAudioFile: file, mLoopCount: 0, mStartFrame: 0,
    mFramesToPlay: .max)
  region.mTimeStamp.mFlags = .sampleTimeValid
  try setProperty(
    player, kAudioUnitProperty_ScheduledFileRegion, kAudioUnitScope_Global, 0, region)
  try setProperty(
    player, kAudioUnitProperty_ScheduledFilePrime, kAudioUnitScope_Global, 0, UInt32(0))
  var start = AudioTimeStamp()
  start.mFlags = .sampleTimeValid
  start.mSampleTime = -1
  try setProperty(
    player, kAudioUnitProperty_ScheduleStartTimeStamp, kAudioUnitScope_Global, 0, start)

  try check(AUGraphStart(graph))
  over.wait()
  try check(AUGraphStop(graph))
  try check(DisposeAUGraph(graph))
}

/// Called on a thread of the library when the region has been played.
private func regionEnded(
  context: UnsafeMutableRawPointer?, region: UnsafeMutablePointer<ScheduledAudioFileRegion>,
  result: OSStatus
) {
  guard let context else { return }
  Unmanaged<DispatchSemaphore>.fromOpaque(context).takeUnretainedValue().signal()
}
