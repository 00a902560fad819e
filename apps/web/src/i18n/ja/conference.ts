import type { TextsWithoutOne } from "../plurals.ts"

export const lock: TextsWithoutOne["lock"] = {
  name: "セキュリティ",
  joining: "ほかの人を探しています…",
  agreeing: "鍵を取り決めています…",
  waiting: "ほかの人を待っています…",
  alone: "ここにはあなただけです。",
  encrypted_other: "暗号化されています。読めるのは{{count}}人です。",
  verified_other: "{{count}}人を確認済み",
}

export const bar: TextsWithoutOne["bar"] = {
  copyLink: "リンクをコピー",
  linkCopied: "コピーしました",
  copyByHand: "このリンクをコピー",
  copyByHandHint: "ブラウザがコピーを許可しませんでした。リンクを選択してコピーしてください。",
  leave: "退出",
  chat: "チャット",
  chatUnread_other: "チャット、未読{{count}}件",
  people: "参加者",
  drawer: "サイドパネル",
  closeDrawer: "閉じる",
  endsAt: "{{time}}に終了",
  endedAt: "{{time}}に終了しました",
  closeCopy: "閉じる",
}

export const banner: TextsWithoutOne["banner"] = {
  serverDown: "サーバーに接続できません。会議は続きますが、復旧するまで新しい人は参加できません。",
  offline_other: "オフラインのようです。サーバーにも{{names}}さんにも接続できません。",
  offlineAll: "オフラインのようです。サーバーにもほかの人にも接続できません。",
  receiving: "{{name}}さんからホワイトボードを受け取っています…",
  receivingProgress: "進み具合",
  storageFailing:
    "この端末に会議のコピーを保存できませんでした。ほかの人に届く前にページを閉じると、新しい内容が失われます。空き容量を増やしてください。",
  outOfReach_other: "{{names}}さんに接続できません。",
  outOfReachMany_other: "{{count}}人に接続できません。",
  hereAlone: "ここにはあなただけです。",
  here_other: "ここにはあなたとほかに{{count}}人います。",
  outOfReachHint: "変更は保存され、あとで統合されます。",
  ending: "この会議は{{time}}に終わります。残りは{{count}}分未満です。内容はこの端末に残ります。",
  copy: "この会議は終わりました。表示しているのはこの端末のコピーです。ここでの操作はほかの誰にも見えません。",
  copyMeanwhile:
    "サーバーに接続できませんでした。表示しているのはこの端末のコピーです。ここでの操作はほかの誰にも見えません。",
  forgetCopy: "消去",
  tryNow: "今すぐ試す",
  trying: "試しています…",
  hide: "閉じる",
  boardUnsent:
    "送信できませんでした。ホワイトボードが大きくなりすぎています。最後の変更がほかの人に見えないか、あとから参加する人にホワイトボードが見えません。ファイルに保存し、新しい会議で続けてください。",
  boardUnshared_other:
    "共有できませんでした。ホワイトボードの{{count}}個の要素が大きすぎます。ほかの人には同じようには見えず、再読み込みすると変更が失われます。小さくするか、削除してください。",
  merged: "{{names}}さんと再びつながりました。両方の変更を統合しました。",
  joining: "ほかの人を探しています…",
  joiningHint: "変更は保存され、あとで共有されます。",
}

export const leave: TextsWithoutOne["leave"] = {
  title: "今すぐ退出しますか？",
  unsent_other: "まだ送信されていないメッセージや変更が{{count}}件あります。退出すると失われます。",
  files_other:
    "あなたが共有した大きなファイル{{count}}個を、まだダウンロードしていない人がいる可能性があります。退出すると、あなたからは受け取れなくなります。",
  last: "ほかに誰もいません。退出すると、ホワイトボードと会話がこの端末から削除されます。あとで続けるには、退出せずにこのページを閉じてください。",
  copy: "退出すると、ホワイトボードと会話がこの端末から削除されます。あとで続けるには、退出せずにこのページを閉じてください。",
  onlyHost: "ホストはあなただけです。退出すると、誰も入室を許可できなくなります。先にほかの人をホストにしてください。",
  stay: "とどまる",
  leave: "それでも退出",
}

export const news: TextsWithoutOne["news"] = {
  joined_other: "{{names}}さんが参加しました。",
  returned_other: "{{names}}さんが戻りました。",
  lost: "{{names}}さんとの接続が切れました。",
  removed: "ホストが{{names}}さんを会議から外しました。",
  left_other: "{{names}}さんが退出しました。",
}

export const invitation: TextsWithoutOne["invitation"] = {
  show: "QRコードを表示",
  title: "招待",
  qr: "招待リンクのQRコード",
}

export const ending: TextsWithoutOne["ending"] = {
  change: "{{said}}。終了時刻を変更",
  latest: "この会議は最長で{{time}}まで続けられます。",
  longer_other: "{{count}}分延長",
  hours_other: "{{count}}時間延長",
  early: "ホストが終了しました",
  now: "全員の会議を終了",
  title: "全員の会議を終了しますか？",
  hint: "全員がすぐに退出します。ホワイトボードと会話は各自の端末に残り、保存も消去もできます。",
  late: "会議が続くかを、ほかの人に確認",
  asking: "この会議が続くかを、ほかの人に確認しています…",
}
