import { press, type Screens } from "../screen.ts"

/** A call and its devices. */
export const call: Screens = {
  "call to be joined": { sees: ["call.begun", { name: "Bob" }], wide: true },
  "call preview": { sees: "call.muted", wide: true },
  "preview of a viewer": { sees: "call.viewer" },
  "preview with a hidden address": { sees: "call.addressHidden", wide: true },
  "camera refused in the preview": { sees: "call.refusedIn.chromium" },
  "call devices": {
    story: "secured",
    sees: { css: ".popover" },
    reach: async (at) => {
      await press(at, "button", "call.open")
      await press(at, "button", "call.devices")
    },
  },
  "browser without calls": { sees: "call.unavailable", wide: true },
  "entering a call": { sees: "call.entering" },
  "call alone": { sees: "call.alone" },
  "in a call": { sees: ["call.noPath", { name: "Grace" }] },
  "heard in a call": { sees: ["call.who.hearAndSee", { count: 2 }], wide: true },
  "person speaks in a call": { sees: { css: '.tile[data-speaking="true"]' } },
  "camera unplugged": { sees: "call.problem.cameraEnded" },
  "microphone unplugged": { sees: "call.problem.microphoneEnded" },
  "own screen shared": { sees: "call.sharing" },
  "shared screen": { sees: ["call.screenOf", { name: "Bob" }] },
  "enlarged person": { sees: { css: ".call-stage .tile" } },
  "person comes back into a call": { sees: "call.connecting" },
  "call on a busy device": { sees: "call.busy", wide: true },
  "key changes in a call": { sees: "call.rekeying" },
  "muted by a host": { sees: ["call.mutedBy", { name: "Bob" }] },
  "asked to unmute": { sees: ["call.askedBy", { name: "Maximiliane von und zu Wolkenkuckucksheim-Oberniederhausen" }] },
  "device refused": { sees: "call.refusedIn.chromium" },
  "no camera found": { sees: "call.problem.missing" },
  "camera of another program": { sees: "call.problem.busy" },
  "camera refused by the system": { sees: "call.problem.system", wide: true },
  "camera muted by the system": { sees: "call.silenced.camera", wide: true },
  "call that cannot be encrypted": { sees: "call.problem.unsupported" },
  "call not joined": { sees: "call.problem.failed" },
  "full call": { sees: "call.problem.full" },
  "call that stopped": { sees: "call.problem.stopped" },
  "preview beside people without a link": { sees: "call.unlinked", wide: true },
  "call beside people without a link": { sees: "call.unlinked" },
  "call of twelve": { sees: ["call.who.nothing", { count: 11 }] },
  "call before a reload": { sees: "call.rejoinWith.microphone" },
  "listening to a call": { sees: "call.viewer" },
}
