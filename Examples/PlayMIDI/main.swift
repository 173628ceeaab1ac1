// SPDX-License-Identifier: Apache-2.0
// Plays a MIDI file on the default output: PlayMIDI FILE
//
// A sequence of the file, and a player. The sequence makes the graph: an instrument with the
// system's bank, and the output.
import AVFoundation
import ExampleSupport

run("PlayMIDI FILE") { arguments in
  let path = try arguments.text("FILE")
  _ = try activateSession(.playback)
  var (madeSequence, madePlayer) = (MusicSequence?.none, MusicPlayer?.none)
  try check(NewMusicSequence(&madeSequence))
  try check(NewMusicPlayer(&madePlayer))
  let (sequence, player) = (try some(madeSequence), try some(madePlayer))
  try check(MusicSequenceFileLoad(sequence, URL(fileURLWithPath: path) as CFURL, .midiType, []))

  // The length is that of the longest track.
  var (count, length) = (UInt32(0), MusicTimeStamp(0))
  try check(MusicSequenceGetTrackCount(sequence, &count))
  for index in 0..<count {
    var (track, beats) = (MusicTrack?.none, MusicTimeStamp(0))
    var size = UInt32(MemoryLayout.size(ofValue: beats))
    try check(MusicSequenceGetIndTrack(sequence, index, &track))
    try check(
      MusicTrackGetProperty(
        try some(track), kSequenceTrackProperty_TrackLength, &beats, &size))
    length = max(length, beats)
  }

  try check(MusicPlayerSetSequence(player, sequence))
  try check(MusicPlayerPreroll(player))
  try check(MusicPlayerStart(player))
  var time: MusicTimeStamp = 0
  while time < length {
    usleep(50_000)
    try check(MusicPlayerGetTime(player, &time))
  }
  try check(MusicPlayerStop(player))
  // The last notes fade.
  usleep(500_000)
  try check(MusicPlayerSetSequence(player, nil))
  try check(DisposeMusicPlayer(player))
  try check(DisposeMusicSequence(sequence))
}
