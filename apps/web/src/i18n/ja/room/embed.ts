import type { TextsWithoutOne } from "../../plurals.ts"

export const embed: TextsWithoutOne["embed"] = {
  inside: {
    unseen: "別のウェブサイトの中に表示しています。そのサイトは、ここで書いたり描いたりした内容を読めません。",
    known: "別のウェブサイトの中に表示しています。そのサイトはこの会議のリンクを知っているので、参加できます。",
    unsaid: "別のウェブサイトの中に表示しています。",
  },
  insideOf: {
    unseen: "{{host}} の中に表示しています。そのサイトは、ここで書いたり描いたりした内容を読めません。",
    known: "{{host}} の中に表示しています。そのサイトはこの会議のリンクを知っているので、参加できます。",
    unsaid: "{{host}} の中に表示しています。",
  },
  refused: "Keymoot はこのウェブサイトの中に表示できません",
  refusedHint: "このウェブサイトは、サーバーで許可されていません。Keymoot を別のタブで開いてください。",
  open: "新しいタブで開く",
}
