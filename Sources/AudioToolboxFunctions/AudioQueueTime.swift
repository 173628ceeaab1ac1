// SPDX-License-Identifier: Apache-2.0
import AudioQueues
import AudioSupport
public import CoreAudio

// The functions of AudioQueue.h for time, offline rendering and taps.

@c @implementation
public func AudioQueueCreateTimeline(
  _ inAQ: AudioQueueRef, _ outTimeline: UnsafeMutablePointer<AudioQueueTimelineRef?>
) -> OSStatus {
  status(queue: inAQ) { queue throws(AudioError) in
    guard !isNull(outTimeline) else { throw .null("outTimeline") }
    outTimeline.pointee = nil
    outTimeline.pointee = try queue.makeTimeline()
  }
}

@c @implementation
public func AudioQueueDisposeTimeline(
  _ inAQ: AudioQueueRef, _ inTimeline: AudioQueueTimelineRef
) -> OSStatus {
  status(queue: inAQ) { queue throws(AudioError) in try queue.dispose(inTimeline) }
}

@c @implementation
public func AudioQueueGetCurrentTime(
  _ inAQ: AudioQueueRef, _ inTimeline: AudioQueueTimelineRef?,
  _ outTimeStamp: UnsafeMutablePointer<AudioTimeStamp>?,
  _ outTimelineDiscontinuity: UnsafeMutablePointer<DarwinBoolean>?
) -> OSStatus {
  status(queue: inAQ) { queue throws(AudioError) in
    let time = try queue.currentTime(inTimeline)
    outTimeStamp?.pointee = time.stamp
    if let hasGap = time.hasGap { outTimelineDiscontinuity?.pointee = DarwinBoolean(hasGap) }
  }
}

@c @implementation
public func AudioQueueDeviceGetCurrentTime(
  _ inAQ: AudioQueueRef, _ outTimeStamp: UnsafeMutablePointer<AudioTimeStamp>
) -> OSStatus {
  status(queue: inAQ) { queue throws(AudioError) in
    guard !isNull(outTimeStamp) else { throw .null("outTimeStamp") }
    outTimeStamp.pointee = try queue.deviceTime()
  }
}

@c @implementation
public func AudioQueueDeviceTranslateTime(
  _ inAQ: AudioQueueRef, _ inTime: UnsafePointer<AudioTimeStamp>,
  _ outTime: UnsafeMutablePointer<AudioTimeStamp>
) -> OSStatus {
  status(queue: inAQ) { queue throws(AudioError) in
    guard !isNull(inTime) else { throw .null("inTime") }
    guard !isNull(outTime) else { throw .null("outTime") }
    outTime.pointee = try queue.translate(inTime.pointee, requested: outTime.pointee.mFlags)
  }
}

@c @implementation
public func AudioQueueDeviceGetNearestStartTime(
  _ inAQ: AudioQueueRef, _ ioRequestedStartTime: UnsafeMutablePointer<AudioTimeStamp>,
  _ inFlags: UInt32
) -> OSStatus {
  status(queue: inAQ) { queue throws(AudioError) in
    guard !isNull(ioRequestedStartTime) else { throw .null("ioRequestedStartTime") }
    guard inFlags == 0 else {
      throw .invalidArgument.because("inFlags is \(inFlags); expected 0")
    }
    ioRequestedStartTime.pointee = try queue.nearestStart(ioRequestedStartTime.pointee)
  }
}

// MARK: Rendering offline

@c @implementation
public func AudioQueueSetOfflineRenderFormat(
  _ inAQ: AudioQueueRef, _ inFormat: UnsafePointer<AudioStreamBasicDescription>?,
  _ inLayout: UnsafePointer<AudioChannelLayout>?
) -> OSStatus {
  status(queue: inAQ) { queue throws(AudioError) in
    let layout = inLayout.map { layout -> [UInt8] in
      let isList = layout.pointee.mChannelLayoutTag == kAudioChannelLayoutTag_UseChannelDescriptions
      let count = isList ? Int(min(layout.pointee.mNumberChannelDescriptions, 256)) : 0
      return Array(UnsafeRawBufferPointer(start: layout, count: 12 + 20 * count))
    }
    try queue.setOfflineFormat(inFormat?.pointee, layout: layout)
  }
}

@c @implementation
public func AudioQueueOfflineRender(
  _ inAQ: AudioQueueRef, _ inTimestamp: UnsafePointer<AudioTimeStamp>,
  _ ioBuffer: AudioQueueBufferRef, _ inNumberFrames: UInt32
) -> OSStatus {
  status(queue: inAQ) { queue throws(AudioError) in
    guard !isNull(inTimestamp) else { throw .null("inTimestamp") }
    try queue.render(into: ioBuffer, frames: Int(inNumberFrames))
  }
}

// MARK: Processing taps

@c @implementation
public func AudioQueueProcessingTapNew(
  _ inAQ: AudioQueueRef, _ inCallback: @escaping AudioQueueProcessingTapCallback,
  _ inClientData: UnsafeMutableRawPointer?, _ inFlags: AudioQueueProcessingTapFlags,
  _ outMaxFrames: UnsafeMutablePointer<UInt32>,
  _ outProcessingFormat: UnsafeMutablePointer<AudioStreamBasicDescription>,
  _ outAQTap: UnsafeMutablePointer<AudioQueueProcessingTapRef?>
) -> OSStatus {
  status(queue: inAQ) { queue throws(AudioError) in
    guard !isNull(outAQTap) else { throw .null("outAQTap") }
    outAQTap.pointee = nil
    guard !isNull(function: inCallback) else { throw .null("inCallback") }
    guard !isNull(outMaxFrames) else { throw .null("outMaxFrames") }
    guard !isNull(outProcessingFormat) else { throw .null("outProcessingFormat") }
    let tap = try queue.makeTap(inFlags, inCallback, inClientData)
    outMaxFrames.pointee = UInt32(clamping: tap.maximumFrames)
    outProcessingFormat.pointee = tap.format
    outAQTap.pointee = tap.handle
  }
}

@c @implementation
public func AudioQueueProcessingTapDispose(_ inAQTap: AudioQueueProcessingTapRef) -> OSStatus {
  deviceStatus { () throws(AudioError) in try AudioQueue.disposeTap(inAQTap) }
}

@c @implementation
public func AudioQueueProcessingTapGetSourceAudio(
  _ inAQTap: AudioQueueProcessingTapRef, _ inNumberFrames: UInt32,
  _ ioTimeStamp: UnsafeMutablePointer<AudioTimeStamp>,
  _ outFlags: UnsafeMutablePointer<AudioQueueProcessingTapFlags>,
  _ outNumberFrames: UnsafeMutablePointer<UInt32>, _ ioData: UnsafeMutablePointer<AudioBufferList>
) -> OSStatus {
  deviceStatus { () throws(AudioError) in
    guard !isNull(ioTimeStamp) else { throw .null("ioTimeStamp") }
    guard !isNull(outFlags) else { throw .null("outFlags") }
    guard !isNull(outNumberFrames) else { throw .null("outNumberFrames") }
    guard !isNull(ioData) else { throw .null("ioData") }
    try AudioQueue.useTap(inAQTap) { tap throws(AudioError) in
      try tap.readSource(Int(inNumberFrames), ioTimeStamp, outFlags, outNumberFrames, ioData)
    }
  }
}

@c @implementation
public func AudioQueueProcessingTapGetQueueTime(
  _ inAQTap: AudioQueueProcessingTapRef, _ outQueueSampleTime: UnsafeMutablePointer<Float64>,
  _ outQueueFrameCount: UnsafeMutablePointer<UInt32>
) -> OSStatus {
  deviceStatus { () throws(AudioError) in
    guard !isNull(outQueueSampleTime) else { throw .null("outQueueSampleTime") }
    guard !isNull(outQueueFrameCount) else { throw .null("outQueueFrameCount") }
    try AudioQueue.useTap(inAQTap) { tap throws(AudioError) in
      let time = try tap.queueTime()
      outQueueSampleTime.pointee = time.frame
      outQueueFrameCount.pointee = UInt32(clamping: time.count)
    }
  }
}
