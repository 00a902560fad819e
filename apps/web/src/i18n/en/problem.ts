export const problem = {
  title: "This did not work",
  /** Where nothing failed: it has ended for you. */
  endings: {
    "conference-over": "The time is up",
    removed: "You have been removed",
    refused: "You were not let in",
  },
  remains: "What you have seen of it can still be saved, until you leave this page.",
  saveBoard: "Save the board",
  saveChat: "Save the conversation",
  retry: "Try again",
  toStart: "Go to the start page",
  codes: {
    "invalid-argument":
      "The name or a setting was not accepted. Choose a shorter name without special characters and try again.",
    "invalid-link": "This link is damaged. Ask for it again and copy it whole, with everything after the # sign.",
    "invalid-card": "A card of the people who may enter could not be read. Take it out, and paste it again.",
    "bad-certificate": "This certificate cannot be used. Ask your organisation's authority for another one.",
    "not-admitted":
      "You are not on the list of this conference, or lack the certificate that it demands: only the people named in it, or certified by its organisation, can enter. Ask the person who invited you.",
    "not-permitted": "Only a host of this conference can do this, or what you may do here does not include it.",
    "no-invitation":
      "This link lacks its secret part, the part after the # sign. Ask the person who invited you for the whole link, and open it.",
    "unknown-conference":
      "The server does not know this conference. It may be long over, or the link has a typing mistake: ask for the link again.",
    "descriptor-mismatch":
      "The server showed another conference than the one this link belongs to. Do not enter. Tell the person who invited you.",
    "not-yet-open": "This conference is not open yet. Try again when it is.",
    "conference-over": "This conference is over. Start a new one to meet again.",
    "server-unreachable": "The server cannot be reached. Check your connection and try again.",
    "server-refused": "The server is too busy or does not accept new conferences now. Try again in a minute.",
    "already-open":
      "This conference is already open in another tab of this browser. Go on there, or close that tab and try again.",
    "opened-elsewhere":
      "This conference has been opened with your identity on another device or in another browser. Go on there, or take it back here.",
    "storage-unavailable":
      "The browser lets this page store nothing, and without that it cannot keep a key. Allow site data or leave private browsing, then try again.",
    "unsupported-browser":
      "This browser lacks something that encryption needs. Use a current Firefox, Chrome, Edge or Safari.",
    "too-large": "This was too large to be sent.",
    "too-soon": "A new key has just been agreed. Try again in a quarter of a minute.",
    "wrong-passphrase": "This is not the passphrase of this backup. Look at capitals and spaces, and try again.",
    "damaged-backup": "This file is no identity backup, or it is damaged. Use another copy of it.",
    "newer-backup":
      "This backup was made by a newer version of Keymoot. Load the page again to update it, or use a newer server.",
    "file-unavailable": "Nobody here has this file now. What has come is kept; ask for it to be shared again.",
    "file-altered": "What came is not the file that was shared, and was thrown away.",
    "storage-full": "There is no room for this file on this device. Free some space and try again.",
    "queue-full": "Too much is waiting to be sent. Wait a moment and try again.",
    "no-answer": "Nobody here answers that.",
    closed: "The conference has been closed on this device.",
    aborted: "This was cancelled.",
    removed: "A host has removed you from this conference. You cannot come back into it.",
    refused: "A host did not let you in.",
    "engine-failed":
      "Something in this page broke, and the conference was stopped to be safe. Load the page again to come back.",
    internal: "Something unexpected happened. Load the page again.",
  },
}
