// SPDX-License-Identifier: Apache-2.0
package import AudioSupport
internal import CAudioToolbox

extension StatusFamily {
  /// What the functions of queues return.
  package static let queues = StatusFamily(
    of: ["AudioQueue"],
    [
      .init(
        kAudioQueueErr_InvalidBuffer, "kAudioQueueErr_InvalidBuffer",
        "The buffer is not one of this queue, or holds more than it has room for.",
        "Make buffers by AudioQueueAllocateBuffer of the same queue."),
      .init(
        kAudioQueueErr_BufferEmpty, "kAudioQueueErr_BufferEmpty",
        "The buffer holds no sound.", "Set mAudioDataByteSize before it is enqueued."),
      .init(
        kAudioQueueErr_DisposalPending, "kAudioQueueErr_DisposalPending", "The queue is ending.",
        "Use it no more after AudioQueueDispose."),
      .init(
        kAudioQueueErr_InvalidProperty, "kAudioQueueErr_InvalidProperty",
        "Queues of this kind do not have this property.",
        "AudioQueueTypes.h lists the properties."),
      .init(
        kAudioQueueErr_InvalidPropertySize, "kAudioQueueErr_InvalidPropertySize",
        "The memory does not have the size of the value.",
        "Ask AudioQueueGetPropertySize first."),
      .init(
        kAudioQueueErr_InvalidParameter, "kAudioQueueErr_InvalidParameter",
        "Queues do not have this parameter.", "AudioQueueTypes.h lists the parameters."),
      .init(
        kAudioQueueErr_CannotStart, "kAudioQueueErr_CannotStart",
        "The device could not be started.", "`au devices` says which devices there are."),
      .init(
        kAudioQueueErr_InvalidDevice, "kAudioQueueErr_InvalidDevice",
        "There is no such device, or it lacks the direction.",
        "`au devices` says which devices there are."),
      .init(
        kAudioQueueErr_BufferInQueue, "kAudioQueueErr_BufferInQueue",
        "The buffer is enqueued.", "Wait for its callback."),
      .init(
        kAudioQueueErr_InvalidRunState, "kAudioQueueErr_InvalidRunState",
        "Not in the state in which the queue is now: running, paused or stopped.",
        "Start or stop the queue first."),
      .init(
        kAudioQueueErr_InvalidQueueType, "kAudioQueueErr_InvalidQueueType",
        "The queue plays, or records, and this is for the other kind.",
        "Use AudioQueueNewOutput or AudioQueueNewInput."),
      .init(
        kAudioQueueErr_InvalidPropertyValue, "kAudioQueueErr_InvalidPropertyValue",
        "The property cannot have this value.", "AudioQueueTypes.h says which it can have."),
      .init(
        kAudioQueueErr_PrimeTimedOut, "kAudioQueueErr_PrimeTimedOut",
        "Decoding did not come as far as asked for in time.", "Ask for fewer frames."),
      .init(
        kAudioQueueErr_CodecNotFound, "kAudioQueueErr_CodecNotFound",
        "There is no codec for the format.",
        "Install libavcodec (Debian: libavcodec59), or choose another format."),
      .init(
        kAudioQueueErr_TooManyTaps, "kAudioQueueErr_TooManyTaps", "The queue has a tap.",
        "Dispose of it first."),
      .init(
        kAudioQueueErr_InvalidTapContext, "kAudioQueueErr_InvalidTapContext",
        "This is for the callback of the tap alone.", "Call it from there."),
      .init(
        kAudioQueueErr_InvalidTapType, "kAudioQueueErr_InvalidTapType",
        "The tap is not of a queue that plays.", "Use the time stamp of the callback."),
      .init(
        kAudioQueueErr_BufferEnqueuedTwice, "kAudioQueueErr_BufferEnqueuedTwice",
        "The buffer is enqueued.", "Wait for its callback."),
      .init(
        kAudioQueueErr_EnqueueDuringReset, "kAudioQueueErr_EnqueueDuringReset",
        "The queue is giving its buffers back.", "Enqueue when AudioQueueStop has returned."),
      .init(
        kAudioQueueErr_InvalidOfflineMode, "kAudioQueueErr_InvalidOfflineMode",
        "The queue plays to a device.", "Call AudioQueueSetOfflineRenderFormat first."),
    ])

  /// What the functions of system sounds return.
  package static let systemSounds = StatusFamily(
    of: ["AudioServices"],
    [
      .init(
        kAudioServicesUnsupportedPropertyError, "kAudioServicesUnsupportedPropertyError",
        "System sounds do not have this property.", "AudioServices.h lists the properties."),
      .init(
        kAudioServicesBadPropertySizeError, "kAudioServicesBadPropertySizeError",
        "The value does not have this size.", "Ask AudioServicesGetPropertyInfo first."),
      .init(
        kAudioServicesBadSpecifierSizeError, "kAudioServicesBadSpecifierSizeError",
        "The specifier is no SystemSoundID.", "Pass the address of one, and 4."),
      .init(
        kAudioServicesSystemSoundUnspecifiedError, "kAudioServicesSystemSoundUnspecifiedError",
        "The sound is not there, or cannot be played.",
        "AUDIOTOOLBOX_LOG=1 prints the reason."),
      .init(
        kAudioServicesSystemSoundExceededMaximumDurationError,
        "kAudioServicesSystemSoundExceededMaximumDurationError",
        "A system sound lasts 30 seconds at most.", "Play longer sounds by a queue."),
    ])
}
