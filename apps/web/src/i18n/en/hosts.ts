export const hosts = {
  roles: { host: "Host", editor: "Editor", viewer: "Viewer" },
  role: "Role",
  remove: "Remove",
  removeTitle: "Remove {{name}}?",
  removeHint:
    "For good: this person reads nothing more from now on. The others get a new key, and the invitation becomes a new link; the old one lets nobody in without a host.",
  removeNow: "Remove for good",
  cancel: "Cancel",
  knocks: "Waiting to be let in",
  admit: "Let in",
  admitName: "Let {{name}} in",
  refuse: "Refuse",
  refuseName: "Refuse {{name}}",
  failed: "This could not be done. A host of a higher rank may have decided otherwise.",
  knockNews_one: "{{names}} wants to come in.",
  knockNews_other: "{{names}} want to come in.",
  waiting: "Waiting for a host",
  waitingHint: "A host of this conference has to let you in. Until then only hosts see your name.",
  stopWaiting: "Stop waiting",
  unvouched:
    "No host has vouched for this room within the hour: somebody who was removed may be here. Say nothing confidential before a host comes.",
  viewing: "You can look on here. A host can let you write and draw.",
}
