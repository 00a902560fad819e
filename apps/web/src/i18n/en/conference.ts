export const lock = {
  name: "Security",
  joining: "Looking for the others…",
  agreeing: "Agreeing on a key…",
  waiting: "Waiting for more people…",
  alone: "Only you are here.",
  encrypted_one: "Encrypted. {{count}} person can read this.",
  encrypted_other: "Encrypted. {{count}} people can read this.",
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
}

export const banner = {
  serverDown: "Server unreachable. The conference goes on; nobody new can join until it is back.",
  offline_one: "You seem to be offline: neither the server nor {{names}} can be reached.",
  offline_other: "You seem to be offline: neither the server nor {{names}} can be reached.",
  offlineAll: "You seem to be offline: neither the server nor the others can be reached.",
  receiving: "Receiving the board from {{name}}…",
  receivingProgress: "How much has come",
  storageFailing:
    "This device could not keep a copy of the conference. What is new is lost if this page closes before others have it. Free some space.",
  outOfReach_one: "{{names}} cannot be reached.",
  outOfReach_other: "{{names}} cannot be reached.",
  outOfReachMany_one: "{{count}} person cannot be reached.",
  outOfReachMany_other: "{{count}} people cannot be reached.",
  hereAlone: "You are alone here.",
  here_one: "You and {{count}} other are here.",
  here_other: "You and {{count}} others are here.",
  outOfReachHint: "What you do is kept and will be merged.",
  tryNow: "Try now",
  trying: "Trying…",
  hide: "Hide",
  boardUnsent:
    "Not sent: the whiteboard has grown too large. Others do not see your last change, or newcomers not the board. Save it as a file, and go on in a new conference.",
  merged: "Together again with {{names}}. What both sides did has been merged.",
  joining: "Looking for the others…",
  joiningHint: "What you do meanwhile is kept and will be shared.",
}

export const leave = {
  title: "Leave now?",
  unsent_one: "{{count}} message or change has not been sent yet. It is lost if you leave.",
  unsent_other: "{{count}} messages or changes have not been sent yet. They are lost if you leave.",
  last: "Nobody else is here, and leaving deletes the board and the conversation from this device. To go on later, close this page instead.",
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
  hint: "Whoever scans this can join. Let only those see it whom you want here.",
}
