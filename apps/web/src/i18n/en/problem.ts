export const nowhere = {
  title: "There is no page here",
  hint: "The address has a mistake, or the page is gone. If you were invited, open the whole link again.",
}

export const insecure = {
  title: "This address is not encrypted",
  why: "Browsers let a page encrypt only at an https address. Without it, anybody on the way could change this page.",
  ask: "Ask the person who runs this server for its https address.",
  open: "Open {{address}}",
  own: "I run this server",
  here: "On the computer of the server, open {{address}}: browsers trust a page that comes from the same computer.",
  elsewhere:
    "Other devices need https. Put a reverse proxy with a certificate in front of the server, and set PUBLIC_ORIGIN to its address. The file docs/self-hosting.md shows how.",
}

export const problem = {
  title: "This did not work",
  titles: {
    "invalid-link": "This link does not work",
    "unknown-conference": "This link does not work",
    "descriptor-mismatch": "Do not join",
    "missing-module": "Another program is needed",
    "not-admitted": "You can’t join",
    "no-invitation": "This link is not complete",
    "conference-over": "This conference is over",
    removed: "You have been removed",
    refused: "You were not let in",
  },
  endedByHost: "A host ended this conference ({{time}}).",
  unanswered: "Nobody answered that it goes on.",
  remains: "You can still save what you have seen, until you leave this page.",
  remainsKept: "You can save it now. It also stays on this device under My conferences, until you forget it there.",
  deleted: "The copy of this conference on this device was deleted.",
  saveBoard: "Save the board",
  saveChat: "Save the chat",
  openCopy: "Open the copy",
  openCopyHere: "Open the copy on this device",
  retries: "This page tries again by itself as soon as the server answers.",
  retry: "Retry",
  toStart: "Go to the start page",
  codes: {
    "not-deleted":
      "The copy of this conference on this device could not be deleted. Forget it under My conferences. If it is not there, delete this site’s data in the browser.",
    "invalid-argument":
      "The name or a setting was not accepted. Choose a shorter name without special characters and try again.",
    "invalid-link": "This link is damaged. Ask for it again and copy it whole, with everything after the # sign.",
    "invalid-card": "One of the cards could not be read. Remove it, and paste it again.",
    "roster-too-long": "This guest list is too long. Remove some people, or those with very long names.",
    "named-twice": "Two cards on the list are of one person, who changed the name. Remove one of them.",
    "bad-certificate": "This certificate cannot be used. Ask your organisation's authority for another one.",
    "certificate-superseded":
      "A later entry of yours is in the directory, from another device or under another name. Take yourself out, then put yourself in again.",
    "certificate-refused":
      "The server does not accept your certificate. Set the date and time of this device, then try again.",
    "proof-refused": "The server did not accept the proof that this is you. Check your connection and try again.",
    "wrong-origin":
      "This server is set up for another address than the one in your browser. Open its own address, or ask the person who runs it.",
    "certificate-mismatch":
      "This server says that another certificate is yours. Do not believe it. Take yourself out of the directory, and tell the person who runs this server.",
    "not-admitted":
      "You are not on the guest list of this conference, or you lack the certificate that it requires. Ask the person who invited you.",
    "not-permitted": "You are not allowed to do this here. Ask a host of this conference.",
    "no-invitation":
      "This link lacks its secret part, the part after the # sign. The person who sent it has probably copied the address bar. Ask that person to press “Copy link” in the conference and to send you that link.",
    "unknown-conference":
      "The server does not know this conference. It may be long over, or the link has a typing mistake: ask for the link again.",
    "descriptor-mismatch":
      "The server showed another conference than the one this link belongs to. It may be trying to deceive you. Tell the person who invited you.",
    "missing-module":
      "This conference uses encryption that this program does not have. Ask the person who invited you which program to use.",
    "not-yet-open": "This conference is not open yet. Try again when it is.",
    "conference-over": "This conference is over. Start a new one to meet again.",
    "server-unreachable": "The server cannot be reached. Check your connection and try again.",
    "other-server-version":
      "This page and the server have different versions. Reload the page. If that does not help, the server needs an update.",
    "server-refused": "The server is too busy or does not accept this now. Try again in a minute.",
    "server-full":
      "This server has no more room for new entries or conferences. Try again later, or ask the person who runs it.",
    "already-open":
      "This conference is already open in another tab of this browser. Continue there, or close that tab and try again.",
    "opened-elsewhere":
      "This conference has been opened with your identity on another device or in another browser. Continue there, or press Retry to take it back here.",
    "storage-unavailable":
      "The browser lets this page store nothing, and without that it cannot keep a key. Allow site data or leave private browsing, then try again.",
    "unsupported-browser":
      "This browser lacks something that encryption needs. Use a current Firefox, Chrome, Edge or Safari.",
    "call-full": "The call is full: 24 people are in it. Try again when somebody has left it.",
    "too-large": "This is too large to be sent. Make it smaller.",
    "too-soon": "A new key has just been agreed. Try again in 15 seconds.",
    "wrong-passphrase": "This is not the passphrase of this backup. Check capital letters and spaces, and try again.",
    "damaged-backup": "This file is not an identity backup, or it is damaged. Use another copy of it.",
    "newer-backup":
      "This backup was made by a newer version of Keymoot. Reload the page to update it, or use a newer server.",
    "file-unavailable":
      "Nobody here has this file now. The part that you received is kept. Ask for the file to be shared again.",
    "file-altered": "This is not the file that was shared. It was deleted. Ask for it to be shared again.",
    "storage-full": "There is no room for this file on this device. Free some space and try again.",
    "unseen-readers": "Somebody joined before this was sent. See who is here, then try again.",
    "queue-full": "Too much is waiting to be sent. Wait a moment and try again.",
    "no-answer": "Nobody here answered. Try again later.",
    closed: "The conference has been closed on this device.",
    aborted: "This was cancelled.",
    removed: "A host removed you from this conference. You can’t come back.",
    refused: "A host did not let you in. You can open the link and ask again in a minute.",
    "engine-failed":
      "Something in this page broke, and the conference was stopped to be safe. Reload the page to come back.",
    internal: "Something unexpected happened. Reload the page.",
  },
}
