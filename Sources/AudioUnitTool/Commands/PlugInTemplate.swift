// SPDX-License-Identifier: Apache-2.0

/// The files of `au new --plug-in`; `@NAME@` stands for the name of the unit, `@CODE@` for its subtype.
enum PlugInTemplate {
  static let makefile = #"""
    CXXFLAGS ?= -O2 -Wall -Wextra
    UNIT := @NAME@.component/Contents/Linux-$(shell uname -m)/@NAME@.so
    FOLDER ?= $(HOME)/.local/lib/audio-units

    $(UNIT): unit.cpp effect.hpp plug_in.hpp
    	mkdir -p $(@D)
    	$(CXX) -std=c++17 $(CXXFLAGS) -shared -fPIC $< -o $@ $$(pkg-config --cflags --libs audiotoolbox)

    # Programs find it there; AUDIO_UNIT_PATH=. finds it here.
    install: $(UNIT)
    	mkdir -p $(FOLDER)
    	cp -r @NAME@.component $(FOLDER)

    clean:
    	rm -f $(UNIT)

    .PHONY: install clean

    """#

  static let propertyList = #"""
    <?xml version="1.0" encoding="UTF-8"?>
    <plist version="1.0">
    <dict>
      <key>CFBundleExecutable</key>
      <string>@NAME@</string>
      <key>AudioComponents</key>
      <array>
        <!-- The three codes name the unit for ever: documents and presets contain them. Choose a
             manufacturer of your own, with a capital. -->
        <dict>
          <key>type</key>
          <string>aufx</string>
          <key>subtype</key>
          <string>@CODE@</string>
          <key>manufacturer</key>
          <string>Demo</string>
          <key>name</key>
          <string>Demo: @NAME@</string>
          <key>version</key>
          <integer>65536</integer>
          <key>factoryFunction</key>
          <string>MakeUnit</string>
        </dict>
      </array>
    </dict>
    </plist>

    """#

  static let unit = #"""
    // @NAME@: an audio unit that changes the level. Begin here; the other files are the same for all
    // effects.
    #include "plug_in.hpp"

    /// Multiplies by a level.
    class Gain : public Effect {
     public:
      // The numbers of the parameters are in saved states: add new ones at the end.
      enum { level };

      Gain() : Effect({{"level", kAudioUnitParameterUnit_Decibels, -60, 20, 0}}) {}

      // Runs on the audio thread: no locks, no memory, no files in here.
      void process(Float32 *const *channels, UInt32 channelCount, UInt32 frameCount) override {
        const Float32 factor = std::pow(10.0f, value(level) / 20);
        for (UInt32 channel = 0; channel < channelCount; channel++) {
          for (UInt32 frame = 0; frame < frameCount; frame++) channels[channel][frame] *= factor;
        }
      }
    };

    // The function that Info.plist names.
    extern "C" AudioComponentPlugInInterface *MakeUnit(const AudioComponentDescription *codes) {
      return makePlugIn<Gain>(codes);
    }

    """#

  static let table = #"""
    // The table of functions between a host and an effect.
    #pragma once

    #include "effect.hpp"

    /// What a host has: the table, and the effect behind it.
    struct PlugIn {
      AudioComponentPlugInInterface interface;
      std::unique_ptr<Effect> effect;

      static Effect &of(void *self) { return *static_cast<PlugIn *>(self)->effect; }
      template <class Function> static AudioComponentMethod method(Function *function) {
        return reinterpret_cast<AudioComponentMethod>(reinterpret_cast<void *>(function));
      }

      static OSStatus initialize(void *self) { return of(self).initialize(); }
      static OSStatus uninitialize(void *self) { return of(self).uninitialize(); }
      static OSStatus reset(void *self, AudioUnitScope, AudioUnitElement) {
        of(self).reset();
        return noErr;
      }
      static OSStatus getInfo(void *self, AudioUnitPropertyID id, AudioUnitScope scope,
                              AudioUnitElement element, UInt32 *size, Boolean *isWritable) {
        UInt32 ignoredSize;
        Boolean ignoredAnswer;
        return of(self).getInfo(id, scope, element, size ? *size : ignoredSize,
                                isWritable ? *isWritable : ignoredAnswer);
      }
      static OSStatus get(void *self, AudioUnitPropertyID id, AudioUnitScope scope,
                          AudioUnitElement element, void *data, UInt32 *size) {
        return of(self).get(id, scope, element, data, *size);
      }
      static OSStatus set(void *self, AudioUnitPropertyID id, AudioUnitScope scope,
                          AudioUnitElement element, const void *data, UInt32 size) {
        return of(self).set(id, scope, element, data, size);
      }
      static OSStatus addListener(void *self, AudioUnitPropertyID id,
                                  AudioUnitPropertyListenerProc function, void *context) {
        of(self).listeners.push_back({id, function, context});
        return noErr;
      }
      static OSStatus removeListener(void *self, AudioUnitPropertyID id,
                                     AudioUnitPropertyListenerProc function, void *context) {
        auto &all = of(self).listeners;
        const auto is = [=](const Effect::Listener &each) {
          return each.id == id && each.function == function && each.context == context;
        };
        all.erase(std::remove_if(all.begin(), all.end(), is), all.end());
        return noErr;
      }
      static OSStatus addNotify(void *self, AURenderCallback function, void *context) {
        of(self).notifies.push_back({function, context});
        return noErr;
      }
      static OSStatus removeNotify(void *self, AURenderCallback function, void *context) {
        auto &all = of(self).notifies;
        const auto is = [=](const AURenderCallbackStruct &each) {
          return each.inputProc == function && each.inputProcRefCon == context;
        };
        all.erase(std::remove_if(all.begin(), all.end(), is), all.end());
        return noErr;
      }
      static OSStatus getParameter(void *self, AudioUnitParameterID id, AudioUnitScope scope,
                                   AudioUnitElement, Float32 *value) {
        return of(self).getParameter(id, scope, *value);
      }
      static OSStatus setParameter(void *self, AudioUnitParameterID id, AudioUnitScope scope,
                                   AudioUnitElement, Float32 value, UInt32) {
        return of(self).setParameter(id, scope, value);
      }
      static OSStatus schedule(void *self, const AudioUnitParameterEvent *events, UInt32 count) {
        return of(self).schedule(events, count);
      }
      static OSStatus render(void *self, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time,
                             UInt32 bus, UInt32 frames, AudioBufferList *list) {
        return of(self).render(flags, time, bus, frames, list);
      }

      static AudioComponentMethod lookup(SInt16 selector) {
        switch (selector) {
          case kAudioUnitInitializeSelect: return method(initialize);
          case kAudioUnitUninitializeSelect: return method(uninitialize);
          case kAudioUnitResetSelect: return method(reset);
          case kAudioUnitGetPropertyInfoSelect: return method(getInfo);
          case kAudioUnitGetPropertySelect: return method(get);
          case kAudioUnitSetPropertySelect: return method(set);
          case kAudioUnitAddPropertyListenerSelect: return method(addListener);
          case kAudioUnitRemovePropertyListenerWithUserDataSelect: return method(removeListener);
          case kAudioUnitAddRenderNotifySelect: return method(addNotify);
          case kAudioUnitRemoveRenderNotifySelect: return method(removeNotify);
          case kAudioUnitGetParameterSelect: return method(getParameter);
          case kAudioUnitSetParameterSelect: return method(setParameter);
          case kAudioUnitScheduleParametersSelect: return method(schedule);
          case kAudioUnitRenderSelect: return method(render);
          default: return nullptr;
        }
      }
    };

    // An instance of a class of effects, as its factory function returns it.
    template <class Kind>
    AudioComponentPlugInInterface *makePlugIn(const AudioComponentDescription *codes) {
      auto *plugIn = new PlugIn;
      plugIn->effect = std::make_unique<Kind>();
      plugIn->effect->codes = *codes;
      plugIn->interface.Open = [](void *self, AudioComponentInstance instance) -> OSStatus {
        PlugIn::of(self).instance = instance;
        return noErr;
      };
      plugIn->interface.Close = [](void *self) -> OSStatus {
        delete static_cast<PlugIn *>(self);
        return noErr;
      };
      plugIn->interface.Lookup = PlugIn::lookup;
      plugIn->interface.reserved = nullptr;
      return &plugIn->interface;
    }

    """#
}
