// SPDX-License-Identifier: Apache-2.0
// Plays a MIDI file on the default output: play_midi FILE
//
//   cc play_midi.c $(pkg-config --cflags --libs audiotoolbox) -o play_midi

#include "../ExampleSupport/session.h"

int main(int count, char **words) {
  if (count != 2) {
    fprintf(stderr, "play_midi: expected FILE\n");
    return 64;
  }
  activateSession(kAudioSessionCategory_MediaPlayback, 0.01f);
  CFURLRef url = CFURLCreateFromFileSystemRepresentation(NULL, (const UInt8 *)words[1],
                                                         (CFIndex)strlen(words[1]), false);
  MusicSequence sequence = NULL;
  MusicPlayer player = NULL;
  check(NewMusicSequence(&sequence));
  check(NewMusicPlayer(&player));
  check(MusicSequenceFileLoad(sequence, url, kMusicSequenceFile_MIDIType,
                              kMusicSequenceLoadSMF_PreserveTracks));
  CFRelease(url);

  // The length is that of the longest track.
  UInt32 tracks = 0;
  MusicTimeStamp length = 0;
  check(MusicSequenceGetTrackCount(sequence, &tracks));
  for (UInt32 index = 0; index < tracks; index++) {
    MusicTrack track = NULL;
    MusicTimeStamp beats = 0;
    UInt32 size = sizeof beats;
    check(MusicSequenceGetIndTrack(sequence, index, &track));
    check(MusicTrackGetProperty(track, kSequenceTrackProperty_TrackLength, &beats, &size));
    if (beats > length) length = beats;
  }

  // The sequence makes the graph: an instrument with the system's bank, and the output.
  check(MusicPlayerSetSequence(player, sequence));
  check(MusicPlayerPreroll(player));
  check(MusicPlayerStart(player));
  for (MusicTimeStamp time = 0; time < length;) {
    usleep(50000);
    check(MusicPlayerGetTime(player, &time));
  }
  check(MusicPlayerStop(player));
  usleep(500000);  // the last notes fade

  check(MusicPlayerSetSequence(player, NULL));
  check(DisposeMusicPlayer(player));
  check(DisposeMusicSequence(sequence));
  return 0;
}
