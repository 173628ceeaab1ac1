// SPDX-License-Identifier: Apache-2.0
// The sound of the unit.
#include "FaultyUnit.h"

// Volatile, so that the compiler keeps the calls.
static void *volatile scratch;

void faulty_forget(Unit *unit) {
  memset(unit->delay, 0, sizeof unit->delay);
  memset(unit->echo, 0, sizeof unit->echo);
  unit->delayPlace = unit->echoPlace = unit->eventCount = unit->mutedFrames = 0;
}

// A ramp may have begun in an earlier slice; its offset is then negative.
static Float32 value_of(const AudioUnitParameterEvent *event, SInt32 frame, Float32 now) {
  if (event->eventType == kParameterEvent_Immediate)
    return frame >= (SInt32)event->eventValues.immediate.bufferOffset ? event->eventValues.immediate.value : now;
  const SInt32 from = frame - event->eventValues.ramp.startBufferOffset;
  if (from < 0) return now;
  const Float32 part = from + 1 >= (SInt32)event->eventValues.ramp.durationInFrames
                           ? 1 : (Float32)(from + 1) / event->eventValues.ramp.durationInFrames;
  return event->eventValues.ramp.startValue
         + part * (event->eventValues.ramp.endValue - event->eventValues.ramp.startValue);
}

static void apply_events(Unit *unit, UInt32 frame) {
  for (UInt32 i = 0; i < unit->eventCount; i++) {
    const AudioUnitParameterEvent *event = &unit->events[i];
    if (HAS(ScheduledParameters)) continue;
    if (HAS(RampedParameters) && event->eventType == kParameterEvent_Ramped) continue;
    if (event->parameter < ParameterCount)
      unit->values[event->parameter] = value_of(event, (SInt32)frame, unit->values[event->parameter]);
  }
}

static void process(Unit *unit, UInt32 frames, AudioBufferList *data) {
  for (UInt32 i = 0; i < frames; i++) {
    apply_events(unit, i);
    const Float32 gain = HAS(ExtremeParameters) ? 1 / (2 - unit->values[0]) : unit->values[0];
    for (UInt32 c = 0; c < data->mNumberBuffers && c < MaximumChannels; c++) {
      Float32 *sample = (Float32 *)data->mBuffers[c].mData + i, input = *sample;
      if (!HAS(StrangeNumbers) && !(fabsf(input) < 1e6f)) input = 0;
      const Float32 late = unit->delay[c][unit->delayPlace];
      unit->delay[c][unit->delayPlace] = input;
      Float32 output = gain * late + 0.25f * unit->echo[c][unit->echoPlace];
      if (fabsf(output) < 1e-15f) output = 0;
      unit->echo[c][unit->echoPlace] = output;
      *sample = unit->isBypassed ? HAS(Bypass) ? input : late : output;
      if (HAS(Silence)) *sample += 0.01f;
      if (HAS(Denormals) && *sample == 0) *(UInt32 *)sample = 0x00000400;
      if (unit->mutedFrames) *sample = 0;
    }
    if (unit->mutedFrames) unit->mutedFrames--;
    unit->delayPlace = (unit->delayPlace + 1) % DelayFrames;
    unit->echoPlace = (unit->echoPlace + 1) % EchoFrames;
  }
  unit->eventCount = 0;
}

static void notify(Unit *unit, AudioUnitRenderActionFlags flag, const AudioTimeStamp *time, UInt32 bus,
                   UInt32 frames, AudioBufferList *data) {
  for (int i = 0; i < NotifyCount; i++) {
    if (!unit->notifies[i].function) continue;
    AudioUnitRenderActionFlags flags = flag;
    unit->notifies[i].function(unit->notifies[i].context, &flags, time, bus, frames, data);
  }
}

static OSStatus pull(Unit *unit, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32 frames,
                     AudioBufferList *data) {
  if (unit->connection.sourceAudioUnit)
    return AudioUnitRender(unit->connection.sourceAudioUnit, flags, time,
                           unit->connection.sourceOutputNumber, frames, data);
  if (!unit->input.inputProc) return kAudioUnitErr_NoConnection;
  return unit->input.inputProc(unit->input.inputProcRefCon, flags, time, 0, frames, data);
}

static OSStatus failed(Unit *unit, OSStatus status) {
  if (!unit->lastError) unit->lastError = status;
  return status;
}

// Passes a note on, but as if it came after the slice.
static void send_note(Unit *unit, const AudioTimeStamp *time, UInt32 frames) {
  if (!unit->hasNote || !unit->midiOutput.midiOutputCallback) return;
  MIDIPacketList list = {.numPackets = 1};
  list.packet[0] = (MIDIPacket){.timeStamp = frames, .length = 3, .data = {0x90, 60, 100}};
  unit->midiOutput.midiOutputCallback(unit->midiOutput.userData, time, 0, &list);
  unit->hasNote = false;
}

OSStatus faulty_render(void *self, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32 bus,
                       UInt32 frames, AudioBufferList *data) {
  Unit *unit = self;
  if (!unit->isInitialized && !HAS(Uninitialised)) return failed(unit, kAudioUnitErr_Uninitialized);
  if (bus && !HAS(Arguments)) return failed(unit, HAS(OutputBuses) ? -3 : kAudioUnitErr_InvalidElement);
  if (frames > unit->maximumFrames && !HAS(TooManyFrames))
    return failed(unit, kAudioUnitErr_TooManyFramesToProcess);
  while (HAS(Times) && time->mSampleTime < 0) {}
  if (unit->isWriting) return -7;
  if (HAS(TwoRenderThreads) && unit->hasThread && !pthread_equal(unit->thread, pthread_self())) return -5;
  unit->thread = pthread_self(), unit->hasThread = true;
  if (HAS(Feeding) && time->mSampleTime == 0) return -9;
  if (HAS(RealTime)) scratch = malloc(8 * frames), free(scratch);
  for (UInt32 b = 0; b < data->mNumberBuffers && b < MaximumChannels; b++) {
    if (!data->mBuffers[b].mData) data->mBuffers[b].mData = unit->memory[b];
    else if (!HAS(Arguments) && data->mBuffers[b].mDataByteSize < 4 * frames) return kAudio_ParamError;
    data->mBuffers[b].mDataByteSize = 4 * frames;
  }
  AudioUnitRenderActionFlags none = 0;
  notify(unit, kAudioUnitRenderAction_PreRender, time, bus, frames, data);
  const OSStatus status = pull(unit, &none, time, frames, data);
  if (status && !HAS(InputFailure)) return failed(unit, status);
  if (HAS(MarkedSilence) && none & kAudioUnitRenderAction_OutputIsSilence) unit->mutedFrames = 30000;
  process(unit, frames, data);
  send_note(unit, time, frames);
  for (UInt32 b = 0; b < data->mNumberBuffers; b++) {
    Float32 *samples = data->mBuffers[b].mData;
    if (HAS(Renders)) samples[frames - 1] = NAN;
    if (HAS(SlicesSoundEqual)) samples[0] = 0;
    if (HAS(SliceSizes) && frames > 1) samples[frames] = 0;
    if (HAS(Instances) && !faulty_is_owner(unit)) samples[0] *= 0.5f;
    if (HAS(OwnMemory) && samples == unit->memory[b]) data->mBuffers[b].mData = NULL;
  }
  if (!HAS(Notifications)) notify(unit, kAudioUnitRenderAction_PostRender, time, bus, frames, data);
  return noErr;
}

OSStatus faulty_process(void *self, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time,
                        UInt32 frames, AudioBufferList *data) {
  Unit *unit = self;
  if (!unit->isInitialized) return kAudioUnitErr_Uninitialized;
  if (frames > unit->maximumFrames) return kAudioUnitErr_TooManyFramesToProcess;
  if (HAS(InPlace)) faulty_forget(unit);
  process(unit, frames, data);
  return noErr;
}
