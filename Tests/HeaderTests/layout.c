// SPDX-License-Identifier: Apache-2.0

// Sizes and offsets of types on 64-bit machines, to compare with the headers.

#include <AudioToolbox/AudioToolbox.h>
#include <stddef.h>

#include "check.h"

#define SIZE(type, bytes) CHECK(sizeof(type) == (bytes))
#define AT(type, field, bytes) CHECK(offsetof(type, field) == (bytes))

SIZE(AudioStreamBasicDescription, 40);
AT(AudioStreamBasicDescription, mSampleRate, 0);
AT(AudioStreamBasicDescription, mFormatID, 8);
AT(AudioStreamBasicDescription, mFormatFlags, 12);
AT(AudioStreamBasicDescription, mBytesPerPacket, 16);
AT(AudioStreamBasicDescription, mFramesPerPacket, 20);
AT(AudioStreamBasicDescription, mBytesPerFrame, 24);
AT(AudioStreamBasicDescription, mChannelsPerFrame, 28);
AT(AudioStreamBasicDescription, mBitsPerChannel, 32);
AT(AudioStreamBasicDescription, mReserved, 36);

SIZE(AudioBuffer, 16);
AT(AudioBuffer, mNumberChannels, 0);
AT(AudioBuffer, mDataByteSize, 4);
AT(AudioBuffer, mData, 8);

SIZE(AudioBufferList, 24);
AT(AudioBufferList, mNumberBuffers, 0);
AT(AudioBufferList, mBuffers, 8);

SIZE(AudioStreamPacketDescription, 16);
AT(AudioStreamPacketDescription, mStartOffset, 0);
AT(AudioStreamPacketDescription, mVariableFramesInPacket, 8);
AT(AudioStreamPacketDescription, mDataByteSize, 12);

SIZE(AudioStreamPacketDependencyDescription, 16);
AT(AudioStreamPacketDependencyDescription, mIsIndependentlyDecodable, 0);
AT(AudioStreamPacketDependencyDescription, mPreRollCount, 4);
AT(AudioStreamPacketDependencyDescription, mFlags, 8);
AT(AudioStreamPacketDependencyDescription, mReserved, 12);

SIZE(SMPTETime, 24);
AT(SMPTETime, mSubframes, 0);
AT(SMPTETime, mSubframeDivisor, 2);
AT(SMPTETime, mCounter, 4);
AT(SMPTETime, mType, 8);
AT(SMPTETime, mFlags, 12);
AT(SMPTETime, mHours, 16);
AT(SMPTETime, mMinutes, 18);
AT(SMPTETime, mSeconds, 20);
AT(SMPTETime, mFrames, 22);

SIZE(AudioTimeStamp, 64);
AT(AudioTimeStamp, mSampleTime, 0);
AT(AudioTimeStamp, mHostTime, 8);
AT(AudioTimeStamp, mRateScalar, 16);
AT(AudioTimeStamp, mWordClockTime, 24);
AT(AudioTimeStamp, mSMPTETime, 32);
AT(AudioTimeStamp, mFlags, 56);
AT(AudioTimeStamp, mReserved, 60);

SIZE(AudioValueRange, 16);
AT(AudioValueRange, mMinimum, 0);
AT(AudioValueRange, mMaximum, 8);

SIZE(AudioValueTranslation, 32);
AT(AudioValueTranslation, mInputData, 0);
AT(AudioValueTranslation, mInputDataSize, 8);
AT(AudioValueTranslation, mOutputData, 16);
AT(AudioValueTranslation, mOutputDataSize, 24);

SIZE(AudioClassDescription, 12);
AT(AudioClassDescription, mType, 0);
AT(AudioClassDescription, mSubType, 4);
AT(AudioClassDescription, mManufacturer, 8);

SIZE(AudioChannelDescription, 20);
AT(AudioChannelDescription, mChannelLabel, 0);
AT(AudioChannelDescription, mChannelFlags, 4);
AT(AudioChannelDescription, mCoordinates, 8);

SIZE(AudioChannelLayout, 32);
AT(AudioChannelLayout, mChannelLayoutTag, 0);
AT(AudioChannelLayout, mChannelBitmap, 4);
AT(AudioChannelLayout, mNumberChannelDescriptions, 8);
AT(AudioChannelLayout, mChannelDescriptions, 12);

SIZE(AudioFormatListItem, 48);
AT(AudioFormatListItem, mASBD, 0);
AT(AudioFormatListItem, mChannelLayoutTag, 40);

SIZE(AudioComponentDescription, 20);
AT(AudioComponentDescription, componentType, 0);
AT(AudioComponentDescription, componentSubType, 4);
AT(AudioComponentDescription, componentManufacturer, 8);
AT(AudioComponentDescription, componentFlags, 12);
AT(AudioComponentDescription, componentFlagsMask, 16);

SIZE(AudioUnitConnection, 16);
AT(AudioUnitConnection, sourceAudioUnit, 0);
AT(AudioUnitConnection, sourceOutputNumber, 8);
AT(AudioUnitConnection, destInputNumber, 12);

SIZE(AURenderCallbackStruct, 16);
AT(AURenderCallbackStruct, inputProc, 0);
AT(AURenderCallbackStruct, inputProcRefCon, 8);

SIZE(AUChannelInfo, 4);
AT(AUChannelInfo, inChannels, 0);
AT(AUChannelInfo, outChannels, 2);

SIZE(AudioUnitExternalBuffer, 16);
AT(AudioUnitExternalBuffer, buffer, 0);
AT(AudioUnitExternalBuffer, size, 8);

SIZE(AUPreset, 16);
AT(AUPreset, presetNumber, 0);
AT(AUPreset, presetName, 8);

SIZE(AudioUnitFrequencyResponseBin, 16);
AT(AudioUnitFrequencyResponseBin, mFrequency, 0);
AT(AudioUnitFrequencyResponseBin, mMagnitude, 8);

SIZE(HostCallbackInfo, 40);
AT(HostCallbackInfo, hostUserData, 0);
AT(HostCallbackInfo, beatAndTempoProc, 8);
AT(HostCallbackInfo, musicalTimeLocationProc, 16);
AT(HostCallbackInfo, transportStateProc, 24);
AT(HostCallbackInfo, transportStateProc2, 32);

SIZE(AUDependentParameter, 8);
AT(AUDependentParameter, mScope, 0);
AT(AUDependentParameter, mParameterID, 4);

SIZE(AUInputSamplesInOutputCallbackStruct, 16);
AT(AUInputSamplesInOutputCallbackStruct, inputToOutputCallback, 0);
AT(AUInputSamplesInOutputCallbackStruct, userData, 8);

SIZE(AUEventSampleTime, 8);
SIZE(MIDINoteNumber, 1);

SIZE(ScheduledAudioSlice, 112);
AT(ScheduledAudioSlice, mTimeStamp, 0);
AT(ScheduledAudioSlice, mCompletionProc, 64);
AT(ScheduledAudioSlice, mCompletionProcUserData, 72);
AT(ScheduledAudioSlice, mFlags, 80);
AT(ScheduledAudioSlice, mReserved, 84);
AT(ScheduledAudioSlice, mReserved2, 88);
AT(ScheduledAudioSlice, mNumberFrames, 96);
AT(ScheduledAudioSlice, mBufferList, 104);

SIZE(AUSamplerInstrumentData, 16);
AT(AUSamplerInstrumentData, fileURL, 0);
AT(AUSamplerInstrumentData, instrumentType, 8);
AT(AUSamplerInstrumentData, bankMSB, 9);
AT(AUSamplerInstrumentData, bankLSB, 10);
AT(AUSamplerInstrumentData, presetID, 11);

SIZE(AUSamplerBankPresetData, 16);
AT(AUSamplerBankPresetData, bankURL, 0);
AT(AUSamplerBankPresetData, bankMSB, 8);
AT(AUSamplerBankPresetData, bankLSB, 9);
AT(AUSamplerBankPresetData, presetID, 10);
AT(AUSamplerBankPresetData, reserved, 11);

SIZE(ScheduledAudioFileRegion, 112);
AT(ScheduledAudioFileRegion, mTimeStamp, 0);
AT(ScheduledAudioFileRegion, mCompletionProc, 64);
AT(ScheduledAudioFileRegion, mCompletionProcUserData, 72);
AT(ScheduledAudioFileRegion, mAudioFile, 80);
AT(ScheduledAudioFileRegion, mLoopCount, 88);
AT(ScheduledAudioFileRegion, mStartFrame, 96);
AT(ScheduledAudioFileRegion, mFramesToPlay, 104);

SIZE(AudioUnitMeterClipping, 8);
AT(AudioUnitMeterClipping, peakValueSinceLastCall, 0);
AT(AudioUnitMeterClipping, sawInfinity, 4);
AT(AudioUnitMeterClipping, sawNotANumber, 5);
SIZE(AudioUnitParameterHistoryInfo, 8);
AT(AudioUnitParameterHistoryInfo, updatesPerSecond, 0);
AT(AudioUnitParameterHistoryInfo, historyDurationInSeconds, 4);

SIZE(AudioUnitParameterInfo, 104);
AT(AudioUnitParameterInfo, name, 0);
AT(AudioUnitParameterInfo, unitName, 56);
AT(AudioUnitParameterInfo, clumpID, 64);
AT(AudioUnitParameterInfo, cfNameString, 72);
AT(AudioUnitParameterInfo, unit, 80);
AT(AudioUnitParameterInfo, minValue, 84);
AT(AudioUnitParameterInfo, maxValue, 88);
AT(AudioUnitParameterInfo, defaultValue, 92);
AT(AudioUnitParameterInfo, flags, 96);

SIZE(AudioUnitParameterNameInfo, 16);
SIZE(AudioUnitParameterIDName, 16);
AT(AudioUnitParameterNameInfo, inID, 0);
AT(AudioUnitParameterNameInfo, inDesiredLength, 4);
AT(AudioUnitParameterNameInfo, outName, 8);

SIZE(AudioUnitParameterStringFromValue, 24);
AT(AudioUnitParameterStringFromValue, inParamID, 0);
AT(AudioUnitParameterStringFromValue, inValue, 8);
AT(AudioUnitParameterStringFromValue, outString, 16);

SIZE(AudioUnitParameterValueFromString, 24);
AT(AudioUnitParameterValueFromString, inParamID, 0);
AT(AudioUnitParameterValueFromString, inString, 8);
AT(AudioUnitParameterValueFromString, outValue, 16);

SIZE(AudioUnitParameter, 24);
AT(AudioUnitParameter, mAudioUnit, 0);
AT(AudioUnitParameter, mParameterID, 8);
AT(AudioUnitParameter, mScope, 12);
AT(AudioUnitParameter, mElement, 16);

SIZE(AudioUnitProperty, 24);
AT(AudioUnitProperty, mAudioUnit, 0);
AT(AudioUnitProperty, mPropertyID, 8);
AT(AudioUnitProperty, mScope, 12);
AT(AudioUnitProperty, mElement, 16);

SIZE(AudioUnitParameterEvent, 32);
AT(AudioUnitParameterEvent, scope, 0);
AT(AudioUnitParameterEvent, element, 4);
AT(AudioUnitParameterEvent, parameter, 8);
AT(AudioUnitParameterEvent, eventType, 12);
AT(AudioUnitParameterEvent, eventValues, 16);
AT(AudioUnitParameterEvent, eventValues.ramp.startBufferOffset, 16);
AT(AudioUnitParameterEvent, eventValues.ramp.durationInFrames, 20);
AT(AudioUnitParameterEvent, eventValues.ramp.startValue, 24);
AT(AudioUnitParameterEvent, eventValues.ramp.endValue, 28);
AT(AudioUnitParameterEvent, eventValues.immediate.bufferOffset, 16);
AT(AudioUnitParameterEvent, eventValues.immediate.value, 20);

SIZE(AUParameterAutomationEvent, 32);
AT(AUParameterAutomationEvent, hostTime, 0);
AT(AUParameterAutomationEvent, address, 8);
AT(AUParameterAutomationEvent, value, 16);
AT(AUParameterAutomationEvent, eventType, 20);
AT(AUParameterAutomationEvent, reserved, 24);

SIZE(AURecordedParameterEvent, 24);
AT(AURecordedParameterEvent, hostTime, 0);
AT(AURecordedParameterEvent, address, 8);
AT(AURecordedParameterEvent, value, 16);

SIZE(AudioUnitEvent, 32);
AT(AudioUnitEvent, mEventType, 0);
AT(AudioUnitEvent, mArgument, 8);
AT(AudioUnitEvent, mArgument.mParameter, 8);
AT(AudioUnitEvent, mArgument.mProperty, 8);

SIZE(AudioOutputUnitStartAtTimeParams, 72);
AT(AudioOutputUnitStartAtTimeParams, mTimestamp, 0);
AT(AudioOutputUnitStartAtTimeParams, mFlags, 64);

SIZE(AUHostVersionIdentifier, 16);
AT(AUHostVersionIdentifier, hostName, 0);
AT(AUHostVersionIdentifier, hostVersion, 8);

SIZE(AudioComponentPlugInInterface, 32);
AT(AudioComponentPlugInInterface, Open, 0);
AT(AudioComponentPlugInInterface, Close, 8);
AT(AudioComponentPlugInInterface, Lookup, 16);
AT(AudioComponentPlugInInterface, reserved, 24);

// Scalars: the types of identifiers, flags and values.
SIZE(OSStatus, 4);
SIZE(OSType, 4);
SIZE(Boolean, 1);
SIZE(AudioFormatID, 4);
SIZE(AudioFormatFlags, 4);
SIZE(AudioChannelLabel, 4);
SIZE(AudioChannelLayoutTag, 4);
SIZE(AudioChannelBitmap, 4);
SIZE(AudioChannelFlags, 4);
SIZE(AudioTimeStampFlags, 4);
SIZE(SMPTETimeType, 4);
SIZE(SMPTETimeFlags, 4);
SIZE(AudioComponentFlags, 4);
SIZE(AudioUnitRenderActionFlags, 4);
SIZE(AudioUnitParameterOptions, 4);
SIZE(AudioUnitParameterUnit, 4);
SIZE(AUParameterEventType, 4);
SIZE(AudioUnitEventType, 4);
SIZE(AudioUnitPropertyID, 4);
SIZE(AudioUnitScope, 4);
SIZE(AudioUnitElement, 4);
SIZE(AudioUnitParameterID, 4);
SIZE(AudioUnitParameterValue, 4);
SIZE(MPEG4ObjectID, 8);
SIZE(AudioComponent, 8);
SIZE(AudioUnit, 8);
SIZE(AUParameterListenerRef, 8);

SIZE(AUNode, 4);
SIZE(AUGraph, 8);
SIZE(AUNodeConnection, 16);
SIZE(AudioUnitNodeConnection, 16);
AT(AUNodeConnection, sourceOutputNumber, 4);
AT(AUNodeConnection, destNode, 8);
AT(AUNodeConnection, destInputNumber, 12);
SIZE(AUNodeRenderCallback, 24);
AT(AUNodeRenderCallback, destInputNumber, 4);
AT(AUNodeRenderCallback, cback, 8);
SIZE(AUNodeInteraction, 32);
AT(AUNodeInteraction, nodeInteraction, 8);

SIZE(ComponentInstanceRecord, 8);
SIZE(NoteParamsControlValue, 8);
SIZE(MusicDeviceStdNoteParams, 12);
SIZE(MusicDeviceNoteParams, 20);
AT(MusicDeviceNoteParams, mVelocity, 8);
AT(MusicDeviceNoteParams, mControls, 12);
SIZE(AUParameterMIDIMapping, 32);
AT(AUParameterMIDIMapping, mFlags, 12);
AT(AUParameterMIDIMapping, mSubRangeMax, 20);
AT(AUParameterMIDIMapping, mData1, 25);
AT(AUParameterMIDIMapping, reserved3, 28);
SIZE(AUDependentParameter, 8);

SIZE(AudioConverterPrimeInfo, 8);
AT(AudioConverterPrimeInfo, leadingFrames, 0);
AT(AudioConverterPrimeInfo, trailingFrames, 4);
SIZE(AudioCodecPrimeInfo, 8);
AT(AudioCodecPrimeInfo, leadingFrames, 0);
AT(AudioCodecPrimeInfo, trailingFrames, 4);

SIZE(AudioFormatInfo, 56);
AT(AudioFormatInfo, mMagicCookie, 40);
AT(AudioFormatInfo, mMagicCookieSize, 48);
SIZE(ExtendedAudioFormatInfo, 64);
AT(ExtendedAudioFormatInfo, mClassDescription, 52);
SIZE(AudioPanningInfo, 32);
AT(AudioPanningInfo, mCoordinates, 8);
AT(AudioPanningInfo, mGainScale, 20);
AT(AudioPanningInfo, mOutputChannelMap, 24);
SIZE(AudioBalanceFade, 24);
AT(AudioBalanceFade, mType, 8);
AT(AudioBalanceFade, mChannelLayout, 16);

SIZE(AudioFile_SMPTE_Time, 8);
SIZE(AudioFileMarker, 40);
AT(AudioFileMarker, mName, 8);
AT(AudioFileMarker, mMarkerID, 16);
AT(AudioFileMarker, mSMPTETime, 20);
AT(AudioFileMarker, mType, 28);
AT(AudioFileMarker, mReserved, 32);
AT(AudioFileMarker, mChannel, 34);
AT(AudioFileMarkerList, mMarkers, 8);
AT(AudioFileRegion, mName, 8);
AT(AudioFileRegion, mFlags, 16);
AT(AudioFileRegion, mNumberMarkers, 20);
AT(AudioFileRegion, mMarkers, 24);
AT(AudioFileRegionList, mRegions, 8);
SIZE(AudioFramePacketTranslation, 24);
SIZE(AudioBytePacketTranslation, 24);
SIZE(AudioPacketRangeByteCountTranslation, 24);
SIZE(AudioPacketRollDistanceTranslation, 16);
SIZE(AudioIndependentPacketTranslation, 16);
SIZE(AudioPacketDependencyInfoTranslation, 16);
SIZE(AudioFilePacketTableInfo, 16);
AT(AudioFilePacketTableInfo, mPrimingFrames, 8);
SIZE(AudioFileTypeAndFormatID, 8);

SIZE(AudioQueueBuffer, 56);
AT(AudioQueueBuffer, mAudioDataBytesCapacity, 0);
AT(AudioQueueBuffer, mAudioData, 8);
AT(AudioQueueBuffer, mAudioDataByteSize, 16);
AT(AudioQueueBuffer, mUserData, 24);
AT(AudioQueueBuffer, mPacketDescriptionCapacity, 32);
AT(AudioQueueBuffer, mPacketDescriptions, 40);
AT(AudioQueueBuffer, mPacketDescriptionCount, 48);
SIZE(AudioQueueParameterEvent, 8);
SIZE(AudioQueueLevelMeterState, 8);
SIZE(AudioQueueChannelAssignment, 16);
AT(AudioQueueChannelAssignment, mChannelNumber, 8);

SIZE(AURenderEventHeader, 20);
AT(AURenderEventHeader, next, 0);
AT(AURenderEventHeader, eventSampleTime, 8);
AT(AURenderEventHeader, eventType, 16);

SIZE(AUParameterEvent, 36);
AT(AUParameterEvent, rampDurationSampleFrames, 20);
AT(AUParameterEvent, parameterAddress, 24);
AT(AUParameterEvent, value, 32);

SIZE(AUMIDIEvent, 24);
AT(AUMIDIEvent, length, 18);
AT(AUMIDIEvent, cable, 20);
AT(AUMIDIEvent, data, 21);

SIZE(AUMIDIEventList, 296);
AT(AUMIDIEventList, cable, 18);
AT(AUMIDIEventList, eventList, 20);

SIZE(AUMIDIOutputCallbackStruct, 16);
AT(AUMIDIOutputCallbackStruct, userData, 8);
