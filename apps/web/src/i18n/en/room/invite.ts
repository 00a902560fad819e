export const invite = {
  title: "Invite people",
  alone: "Only you are here.",
  nobody:
    "Nobody else is here now. Perhaps they come later, or a host has ended this conference early. Ask the person who invited you.",
  send: "Send the invitation to the people you want to meet. Use “Copy link” and not the address bar: the address alone lets nobody in.",
  begin: "Start to write and draw. People who join later see it, too.",
  beginUnseen: "Start to draw. People who join later see the whiteboard, and only new messages.",
  return:
    "This conference lasts until {{time}}. You can close this page and come back under “My conferences” on the start page.",
  show: "Show the link and a QR code",
  copy: "Copy invitation",
  copied: "Invitation copied",
  label: "Invitation text",
  calendar: "Calendar file",
  summary: "Keymoot conference",
  text: "You are invited to an encrypted conference. Open this link to join:",
  textAbout: "You are invited to an encrypted conference: {{title}}. Open this link to join:",
  textOpens: "It opens on {{time}}.",
  textHint: "Copy the whole link, with everything after the # sign.",
  who: {
    link: "Anyone who has this link can join. Share it with care.",
    approval: "People with this link wait until a host lets them in.",
    roster: "Only people who were named for this conference can join.",
    ca: "Only people with a certificate of the organisation can join.",
  },
}
