export const lock = {
  name: "Security",
  joining: "Looking for the others…",
  agreeing: "Agreeing on a key…",
  waiting: "Waiting for more people…",
  alone: "Only you are here.",
  encrypted_one: "Encrypted. {{count}} person can read this.",
  encrypted_other: "Encrypted. {{count}} people can read this.",
  verified_one: "{{count}} verified",
  verified_other: "{{count}} verified",
}

export const bar = {
  copyLink: "Copy link",
  linkCopied: "Link copied",
  copyByHand: "Copy this link",
  copyByHandHint: "The browser did not allow copying. Select the link and copy it yourself.",
  leave: "Leave",
  chat: "Chat",
  chatUnread_one: "Chat, {{count}} unread message",
  chatUnread_other: "Chat, {{count}} unread messages",
  people: "People",
  drawer: "Side panel",
  closeDrawer: "Close",
  endsAt: "Ends: {{time}}",
  endedAt: "Ended: {{time}}",
  closeCopy: "Close",
}

export const banner = {
  serverDown: "Server unreachable. The conference goes on, but nobody new can join until it is back.",
  offline_one: "You seem to be offline: neither the server nor {{names}} can be reached.",
  offline_other: "You seem to be offline: neither the server nor {{names}} can be reached.",
  offlineAll: "You seem to be offline: neither the server nor the others can be reached.",
  receiving: "Receiving the board from {{name}}…",
  receivingProgress: "Progress",
  storageFailing:
    "This device could not save a copy of the conference. New content is lost if you close this page before others have it. Free some space.",
  outOfReach_one: "{{names}} cannot be reached.",
  outOfReach_other: "{{names}} cannot be reached.",
  outOfReachMany_one: "{{count}} person cannot be reached.",
  outOfReachMany_other: "{{count}} people cannot be reached.",
  hereAlone: "You are alone here.",
  here_one: "You and {{count}} other are here.",
  here_other: "You and {{count}} others are here.",
  outOfReachHint: "Your changes are kept and will be merged.",
  ending: "This conference ends in less than {{count}} minutes ({{time}}). Its content stays on this device.",
  copy: "This conference is over. You see the copy on this device, and nobody else sees what you do here.",
  copyMeanwhile:
    "The server could not be reached. You see the copy on this device, and nobody else sees what you do here.",
  forgetCopy: "Forget it",
  tryNow: "Try now",
  trying: "Trying…",
  hide: "Hide",
  boardUnsent:
    "Not sent: the whiteboard has grown too large. Others may not see your last change, or people who join later may not see the board. Save it as a file, and go on in a new conference.",
  boardUnshared_one:
    "Not shared: {{count}} item on the whiteboard is too large. Others can’t see it as you do. Your changes to it are lost if you reload. Make it smaller or delete it.",
  boardUnshared_other:
    "Not shared: {{count}} items on the whiteboard are too large. Others can’t see them as you do. Your changes to them are lost if you reload. Make them smaller or delete them.",
  merged: "Connected with {{names}} again. The changes of both sides were merged.",
  joining: "Looking for the others…",
  joiningHint: "Your changes are kept and will be shared.",
}

export const leave = {
  title: "Leave now?",
  unsent_one: "{{count}} message or change has not been sent yet. It is lost if you leave.",
  unsent_other: "{{count}} messages or changes have not been sent yet. They are lost if you leave.",
  files_one:
    "{{count}} large file that you shared may not have been downloaded by everybody. Nobody can get it from you once you have left.",
  files_other:
    "{{count}} large files that you shared may not have been downloaded by everybody. Nobody can get them from you once you have left.",
  last: "Nobody else is here. Leaving deletes the board and the chat from this device. To go on later, close this page instead.",
  copy: "Leaving deletes the board and the chat from this device. To go on later, close this page instead.",
  onlyHost: "You are the only host. When you leave, nobody can let people in. Make somebody else a host first.",
  stay: "Stay",
  leave: "Leave anyway",
}

export const news = {
  joined_one: "{{names}} joined.",
  joined_other: "{{names}} joined.",
  returned_one: "{{names}} is back.",
  returned_other: "{{names}} are back.",
  left_one: "{{names}} left.",
  lost: "Lost the connection to {{names}}.",
  removed: "A host removed {{names}}.",
  left_other: "{{names}} left.",
}

export const invitation = {
  show: "Show QR code",
  title: "Invitation",
  qr: "The invitation link as a QR code",
}

export const ending = {
  change: "{{said}}. Change the end",
  latest: "This conference can last until {{time}}.",
  longer_one: "{{count}} minute longer",
  longer_other: "{{count}} minutes longer",
  hours_one: "{{count}} hour longer",
  hours_other: "{{count}} hours longer",
  early: "Ended by a host",
  now: "End it for everybody",
  title: "End this conference for everybody?",
  hint: "Everybody leaves at once. The board and the chat stay on each person’s device, to save or to forget.",
  late: "Ask the others whether it goes on",
  asking: "Asking the others whether this conference goes on…",
}
