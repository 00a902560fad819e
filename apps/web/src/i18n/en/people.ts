export const people = {
  title_one: "{{count}} person in the conference",
  title_other: "{{count}} people in the conference",
  you: "you",
  otherDevice: "your other device",
  idle: "Away from the page",
  hand: "Hand raised",
  agreeing: "A new key is being agreed with these people.",
  sameName: "Somebody else here has the same name or one that looks like it. Verify, to know who is who.",
  copy: "This is a copy on this device. Nobody is connected to it.",
  invite: "Nobody else is here yet. Send somebody the link.",
  lost: "Out of reach now: {{names}}.",
  byServer: "Connected through the server, which can’t read anything. This is slower.",
  byMember: "Connected through somebody else here, who can’t read anything. This is slower.",
  verify: "Verify",
  codes: "Codes",
  more: "More about {{name}}",
  verified: "Verified by you",
  unverified: "Not verified by you",
  changedKey: "Not the key that you verified",
}

export const alarm = {
  changedKey:
    "Careful: this is not the {{name}} you verified. This person has another key: an impostor, or the same person on a new device.",
  past: "Careful: earlier messages bear the name {{name}}. They were written with another key than that of the person you verified or know here. Ask that person before you trust them.",
  row: "Say nothing confidential here before you have compared codes. If they are the same, verify this person again. If not, leave, and meet by another link.",
  compare: "Compare codes",
  hide: "Hide this warning",
}

export const verify = {
  title: "Verify {{name}}",
  how: "Meet {{name}}, or talk on the phone so that you know the voice. If both of you see the same here, nobody is in between. The digits and the words say the same: one of them is enough.",
  forms: "Ways to compare",
  form: { digits: "Digits", words: "Words", scan: "Scan" },
  wordsHint: "Read them aloud in turns, in this order.",
  qr: "Code for {{name}} to scan",
  coming: "Calculating the codes…",
  qrHint: "Let {{name}} scan this code, or scan the one on the screen of {{name}}.",
  scan: "Scan the code of {{name}}",
  showMine: "Show my code",
  cameraPicture: "Picture of the camera",
  camera: {
    refused:
      "The browser does not let this page use the camera. Allow it in the page’s settings, or compare the digits.",
    missing: "No camera was found. Compare the digits or the words instead.",
    busy: "Another program uses the camera. Close it and try again, or compare the digits.",
  },
  scanned: {
    notACode: "This is not a Keymoot verification code. Look for the one under Verify, Scan.",
    otherPerson:
      "This code is for another pair of people. If {{name}} shows it to you, somebody is in between. Do not trust this connection.",
  },
  same: "They are the same",
  notSame: "They differ",
  differs:
    "Then somebody may be in between you and {{name}}. Say nothing confidential here. Make sure that both of you looked at each other’s code. If they still differ, leave, and send a new link another way.",
  again: "Compare again",
  stop: "Do not verify",
  done: "You have verified {{name}}. This stays in every conference, but not under the name of somebody else you verified.",
  withdraw: "Withdraw the verification",
  notStored: "This could not be stored on this device, so it does not count. Free some space and try again.",
  full: "You cannot verify more people. First withdraw the verification of somebody who is with you in this conference or in another one.",
  goneTitle: "Verify",
  gone: "This person has left the conference.",
  close: "Close",
}
