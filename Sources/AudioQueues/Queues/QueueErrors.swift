// SPDX-License-Identifier: Apache-2.0
internal import AudioSupport
internal import CAudioToolbox

extension AudioError {
  /// Failures of queues; each is named after its C constant.
  static var queueBuffer: Self { Self(status: kAudioQueueErr_InvalidBuffer) }
  static var queueBufferEmpty: Self { Self(status: kAudioQueueErr_BufferEmpty) }
  static var queueDisposal: Self { Self(status: kAudioQueueErr_DisposalPending) }
  static var queueProperty: Self { Self(status: kAudioQueueErr_InvalidProperty) }
  static var queuePropertySize: Self { Self(status: kAudioQueueErr_InvalidPropertySize) }
  static var queueParameter: Self { Self(status: kAudioQueueErr_InvalidParameter) }
  static var queueCannotStart: Self { Self(status: kAudioQueueErr_CannotStart) }
  static var queueDevice: Self { Self(status: kAudioQueueErr_InvalidDevice) }
  static var queueBufferInQueue: Self { Self(status: kAudioQueueErr_BufferInQueue) }
  static var queueRunState: Self { Self(status: kAudioQueueErr_InvalidRunState) }
  static var queueType: Self { Self(status: kAudioQueueErr_InvalidQueueType) }
  static var queuePropertyValue: Self { Self(status: kAudioQueueErr_InvalidPropertyValue) }
  static var queuePrimeTimedOut: Self { Self(status: kAudioQueueErr_PrimeTimedOut) }
  static var queueCodec: Self { Self(status: kAudioQueueErr_CodecNotFound) }
  static var queueTaps: Self { Self(status: kAudioQueueErr_TooManyTaps) }
  static var queueTapContext: Self { Self(status: kAudioQueueErr_InvalidTapContext) }
  static var queueTapType: Self { Self(status: kAudioQueueErr_InvalidTapType) }
  static var queueEnqueuedTwice: Self { Self(status: kAudioQueueErr_BufferEnqueuedTwice) }
  static var queueEnqueueDuringReset: Self { Self(status: kAudioQueueErr_EnqueueDuringReset) }
  static var queueOffline: Self { Self(status: kAudioQueueErr_InvalidOfflineMode) }
  static var queueFormat: Self { Self(status: kAudioFormatUnsupportedDataFormatError) }

  /// The same reason under another code.
  func asStatus(_ other: Self) -> Self { other.because(explanation) }
}
