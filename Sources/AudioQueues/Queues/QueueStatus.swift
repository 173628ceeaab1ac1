// SPDX-License-Identifier: Apache-2.0
package import AudioSupport
internal import CAudioToolbox

extension StatusFamily {
  /// The status codes of queue functions.
  package static let queues = StatusFamily(
    of: ["AudioQueue"],
    [
      .init(
        kAudioQueueErr_InvalidBuffer, "kAudioQueueErr_InvalidBuffer",
        "The buffer does not belong to this queue, or its size exceeds its capacity.",
        "Allocate buffers with AudioQueueAllocateBuffer of the same queue."),
      .init(
        kAudioQueueErr_BufferEmpty, "kAudioQueueErr_BufferEmpty",
        "The buffer is empty.", "Set mAudioDataByteSize before enqueueing it."),
      .init(
        kAudioQueueErr_DisposalPending, "kAudioQueueErr_DisposalPending", "The queue is ending.",
        "Do not use it after AudioQueueDispose."),
      .init(
        kAudioQueueErr_InvalidProperty, "kAudioQueueErr_InvalidProperty",
        "Queues of this kind do not have this property.",
        "AudioQueueTypes.h lists the properties."),
      .init(
        kAudioQueueErr_InvalidPropertySize, "kAudioQueueErr_InvalidPropertySize",
        "The memory does not have the size of the value.",
        "Call AudioQueueGetPropertySize first."),
      .init(
        kAudioQueueErr_InvalidParameter, "kAudioQueueErr_InvalidParameter",
        "Queues do not have this parameter.", "AudioQueueTypes.h lists the parameters."),
      .init(
        kAudioQueueErr_CannotStart, "kAudioQueueErr_CannotStart",
        "The device could not be started.", "`au devices` lists all devices."),
      .init(
        kAudioQueueErr_InvalidDevice, "kAudioQueueErr_InvalidDevice",
        "There is no such device, or it lacks an input or output.",
        "`au devices` lists all devices."),
      .init(
        kAudioQueueErr_BufferInQueue, "kAudioQueueErr_BufferInQueue",
        "The buffer is enqueued.", "Wait for its callback."),
      .init(
        kAudioQueueErr_InvalidRunState, "kAudioQueueErr_InvalidRunState",
        "The call is not allowed in the queue's current state: running, paused or stopped.",
        "Start or stop the queue first."),
      .init(
        kAudioQueueErr_InvalidQueueType, "kAudioQueueErr_InvalidQueueType",
        "The call is for the other kind of queue, playback or recording.",
        "Use AudioQueueNewOutput or AudioQueueNewInput."),
      .init(
        kAudioQueueErr_InvalidPropertyValue, "kAudioQueueErr_InvalidPropertyValue",
        "The property cannot have this value.", "AudioQueueTypes.h lists the possible values."),
      .init(
        kAudioQueueErr_PrimeTimedOut, "kAudioQueueErr_PrimeTimedOut",
        "The requested frames could not be decoded in time.", "Ask for fewer frames."),
      .init(
        kAudioQueueErr_CodecNotFound, "kAudioQueueErr_CodecNotFound",
        "There is no codec for the format.",
        "Install libavcodec (Debian: libavcodec59), or choose another format."),
      .init(
        kAudioQueueErr_TooManyTaps, "kAudioQueueErr_TooManyTaps", "The queue has a tap.",
        "Dispose of it first."),
      .init(
        kAudioQueueErr_InvalidTapContext, "kAudioQueueErr_InvalidTapContext",
        "The call is only allowed inside the tap's callback.", "Call it there."),
      .init(
        kAudioQueueErr_InvalidTapType, "kAudioQueueErr_InvalidTapType",
        "The tap does not belong to a playback queue.", "Use the time stamp of the callback."),
      .init(
        kAudioQueueErr_BufferEnqueuedTwice, "kAudioQueueErr_BufferEnqueuedTwice",
        "The buffer is enqueued.", "Wait for its callback."),
      .init(
        kAudioQueueErr_EnqueueDuringReset, "kAudioQueueErr_EnqueueDuringReset",
        "The queue is returning its buffers.", "Enqueue after AudioQueueStop has returned."),
      .init(
        kAudioQueueErr_InvalidOfflineMode, "kAudioQueueErr_InvalidOfflineMode",
        "The queue plays to a device.", "Call AudioQueueSetOfflineRenderFormat first."),
    ])

  /// The status codes of system sound functions.
  package static let systemSounds = StatusFamily(
    of: ["AudioServices"],
    [
      .init(
        kAudioServicesUnsupportedPropertyError, "kAudioServicesUnsupportedPropertyError",
        "System sounds do not have this property.", "AudioServices.h lists the properties."),
      .init(
        kAudioServicesBadPropertySizeError, "kAudioServicesBadPropertySizeError",
        "The value does not have this size.", "Call AudioServicesGetPropertyInfo first."),
      .init(
        kAudioServicesBadSpecifierSizeError, "kAudioServicesBadSpecifierSizeError",
        "The specifier is not a SystemSoundID.", "Pass the address of one, and the size 4."),
      .init(
        kAudioServicesSystemSoundUnspecifiedError, "kAudioServicesSystemSoundUnspecifiedError",
        "The sound does not exist or cannot be played.",
        "AUDIOTOOLBOX_LOG=1 prints the reason."),
      .init(
        kAudioServicesSystemSoundExceededMaximumDurationError,
        "kAudioServicesSystemSoundExceededMaximumDurationError",
        "A system sound lasts at most 30 seconds.", "Play longer sounds with a queue."),
    ])
}
