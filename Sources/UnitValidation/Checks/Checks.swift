// SPDX-License-Identifier: Apache-2.0

extension Check {
  /// All checks, in order: a check comes after those that it relies on.
  ///
  /// Levels: 1 it opens and sounds, 2 formats and properties, 3 parameters, 4 states and presets, 5
  /// rendering and the reported latency and tail (what every host relies on), 6 what good units
  /// also have, 7 hard tests of the sound, 8 threads, 9 real time, 10 damaged states, stress and
  /// leaks.
  static let all: [Check] = [
    Check("opens", 1, "instances open within a second and can be disposed of", OpeningChecks.opens),
    Check("initialises", 1, "it can be initialised repeatedly", OpeningChecks.initializes),
    Check("renders", 1, "it renders finite sound by default", OpeningChecks.renders),
    Check("plays", 1, "an output unit starts and stops", DeviceChecks.plays),

    Check("default formats", 2, "each bus defaults to 32-bit float", PropertyChecks.defaultFormats),
    Check(
      "required properties", 2, "the properties that hosts rely on exist", PropertyChecks.required),
    Check("maximum frames", 2, "the slice limit is respected", PropertyChecks.maximumFrames),
    Check("bus count", 2, "the number of buses is the one that was set", PropertyChecks.buses),

    Check(
      "parameter information", 3, "names, ranges and defaults are consistent",
      ParameterChecks.information),
    Check("parameter defaults", 3, "a new unit has its default values", ParameterChecks.defaults),
    Check("parameters kept", 3, "values read back as they were set", ParameterChecks.readBack),
    Check("unknown parameter", 3, "an unknown parameter is refused", ParameterChecks.unknown),
    Check("parameter texts", 3, "values with names have them", ParameterChecks.strings),
    Check("clumps", 3, "groups of parameters have names", ParameterChecks.clumps),

    Check("state keys", 4, "a state contains the component's codes", StateChecks.keys),
    Check("state returns", 4, "a state restores all values, in any instance", StateChecks.restores),
    Check("presets", 4, "factory presets can be chosen", StateChecks.presets),

    Check("slice sizes", 5, "any number of frames renders", RenderChecks.sizes),
    Check("rates", 5, "usual and odd rates render", FormatChecks.rates),
    Check("channels", 5, "channel counts are as declared", FormatChecks.channels),
    Check("too many frames", 5, "too many frames are refused", RenderChecks.tooMany),
    Check(
      "uninitialised", 5, "rendering fails before initialising", OpeningChecks.refusesUninitialized),
    Check("connection", 5, "it pulls a connected unit", ConnectionChecks.connects),
    Check("feeding", 5, "another unit can pull it", ConnectionChecks.feeds),
    Check("output buses", 5, "all output buses render", RenderChecks.outputs),
    Check("input failure", 5, "a failed input fails the render, once", RenderChecks.inputFails),
    Check("reset", 5, "it clears signal history and nothing else", SoundChecks.reset),
    Check("bypass", 5, "it passes the input, delayed by the latency", SoundChecks.bypass),
    Check("silence", 5, "silence stays silence", SoundChecks.silence),
    Check("instances", 5, "instances do not affect each other", OpeningChecks.areIndependent),

    Check(
      "recommended properties", 6, "tail and bypass properties exist", PropertyChecks.recommended),
    Check("property sizes", 6, "sizes are as announced", PropertyChecks.sizes),
    Check("property mistakes", 6, "each mistake returns its own code", PropertyChecks.errors),
    Check("property listeners", 6, "listeners are notified", PropertyChecks.listeners),
    Check("nonsense formats", 6, "inconsistent formats are refused", FormatChecks.nonsense),
    Check("fixed formats", 6, "formats are fixed while initialised", FormatChecks.fixed),
    Check("own memory", 6, "it provides buffers if there are none", RenderChecks.ownMemory),
    Check("arguments", 6, "wrong buses and buffers are refused", RenderChecks.arguments),
    Check("notifications", 6, "called once before and once after a render", RenderChecks.notifies),
    Check(
      "in place", 6, "AudioUnitProcess gives the same as AudioUnitRender", ConnectionChecks.inPlace),
    Check("scheduled parameters", 6, "scheduled values arrive", AutomationChecks.scheduled),
    Check("ramped parameters", 6, "ramps reach their end", AutomationChecks.ramps),
    Check(
      "MIDI", 6, "notes end, nonsense does no harm, messages belong to their slice",
      MIDIChecks.messages),

    Check("latency", 7, "the reported latency is right", SoundChecks.latency),
    Check("tail", 7, "the sound ends with the reported tail", SoundChecks.tail),
    Check("slices sound equal", 7, "the slice size does not change the sound", RenderChecks.slices),
    Check("marked silence", 7, "sound after marked silence is complete", SoundChecks.afterSilence),
    Check("strange numbers", 7, "NaN and infinity have no lasting effect", SoundChecks.numbers),
    Check("denormals", 7, "a tail has no denormal numbers", SoundChecks.denormals),
    Check("times", 7, "time may jump", RenderChecks.times),
    Check("values beyond ranges", 7, "values out of range do no harm", ParameterChecks.limits),
    Check("extreme parameters", 7, "the sound stays finite", AutomationChecks.extremes),

    Check("control beside render", 8, "it renders while values change", ThreadChecks.control),
    Check("structure beside render", 8, "it renders while states change", ThreadChecks.structure),
    Check("two render threads", 8, "a second render is refused", ThreadChecks.twoThreads),
    Check("opening on threads", 8, "several threads can open units at once", ThreadChecks.opening),

    Check("real time", 9, "no heap, lock, wait or file in a render", RealTimeChecks.probe),

    Check("foreign states", 10, "states of other components are refused", StateChecks.foreign),
    Check("damaged states", 10, "damaged states do no harm", StateChecks.damaged),
    Check("leaks", 10, "disposed units leave nothing behind", RealTimeChecks.leaks),
  ]
}
