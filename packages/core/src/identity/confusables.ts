/**
 * Characters that look alike: UTS #39's confusables.txt, Unicode 17.0.0, without those that normalization takes to their prototype.
 * Written by packages/core/test/identity/write-confusables.ts. Data © Unicode, Inc., https://www.unicode.org/license.txt
 */
export const CONFUSABLES = `
13q:14d;13s:14e;13t:148;13u:144;1cr:59w 17r;lv:lx lg 1i is;lw:199;ld:13w 1 3f 1i 6x el;lc:1ub;li:lo 2q kq 2 kr v1z n3e
li lj:ls rc ex 3k 74 3k 73 3l 3k 1g3i;le:lt ne b7 44i ra8;lm:o6 g9 4j 3x wz jv 3k a1 1hs d 4d3 j4 18py;lk:1kj 6w;ln:18r it;lf:n6 lt
lj:ns gx 1 7 1 2 88 2c 1 4s 71 o 74 3k 97;mw:mv;mg:ma z 4mq;lg:lh no b6 3qv ds ra7;lg lg:5bc;lq:5p6;lu:193;nk:nr 141 7;nm:1s0;5ae:5ax
5ag:2o6m;ly:5pp;mh:192 4g6;mj:5p1;mr:nb;no:1rt;np:1ru;mt:mu;ll:9ik;mb:14k h 47 i9 27 3k 3k 3k 3k 3hd 1avx 1hs l5;mc:1ri 3xs;md:307 6ie
me:m9 6 i;ml:5p5;mm:5p4;mp:m8 182;18s:1r9 3 9;18t:1rm;18w:lz lf;191:19b;19s:lp;1fg:1fm;1vn:1z7 e8 3k 3k 3k j9 1fgp;2tk:2x4 1s3;2tl:2x5
2tm:2x6;2tn:2x7;6i1:wvj;w:4g0 1wo 1;2n:1kq;19:k7 sd 4zg 2 1 1c cv 138 10k 1 15el;19 lv:8bt;19 lk:93u;19 lj:6rc 22i 1 14s6;19 mb:8bu
19 1a:wla;18:54 11x 2m 52n q8v;170:19o 7uu;17f:94l;1m:k0 14 i9 1m 8w 1 e7 ao 2g9 7r 6 1n5 d8 ptz i4 h47 695;1m 6mq:8ac;x:cj 8lq
1r:g1 2b 1d5 20h t31;17j:94e;1a:19c 40 h 1 v7a 7q jsy 13bx;1a 18:wl7;1a 1a:wl6;wz7 wz7:wz8;53:3zb jo 1tj 5 du 4s 298 ju nf8 ho2
53 53 53:6wf 21l;53 1o:404;53 1q:3zr 9 2vr;53 1g:46n;53 2q:41q;53 2q lj:41s;53 2s:41m;53 22:42g;53 24:43a;53 28:41i;53 2d:40n;53 2e:3zu
53 g5:3zw;53 pf:432;53 pg:3ym;53 11k:40p;53 3y9:3yk;53 3yc:3yo;53 3yd:3yq;53 3ye:3ys;53 3yi:3yv;53 3yj:3yx;53 3zm:3zy;53 3zo:402;53 3zt:406
53 40f:40r;53 40g:40k 9;53 40h:40v;53 40l:40x;53 40m:40z;53 417:41g;53 41a:41k;53 41c:41o;53 421:42a;53 423:42c;53 424:42e;53 426:42i
53 428:42k;53 429:42m;53 42r:430;53 42u:434;53 42v:436;53 42w:438;53 42z:43c;53 43k:43t;53 43m:4w6;53 43n:4w8;53 43o:4wa;53 43p:4wc
53 43r:43v;53 43s:43x;53 443:44c;53 445:44e;53 446:44g;53 447:44i;53 448:44k;53 44a:44m;53 44b:44o;53 44t:452;53 44v:454;53 44w:456
53 44x:458;53 44y:45a;53 450:45c;53 451:45e;53 45s:45z;53 45t:461;53 45u:463;53 45v:465;53 45w:467;53 45x:469;53 45y:46b;53 46g:46p
53 46h:46r;53 46i:46t;53 46j:46v;53 46l:46x;53 46m:46z;53 477:4we;53 47a:4wf;53 47b:4wg;53 47c:4wh;53 47d:4wi;53 47f:4wj;53 47g:47i
53 47u:47v;53 487:488;53 4vl:4vn;53 4vo:4vq;53 4vs:4vt;53 4w0:4w2;1us:x80;1us 1us:1ut;5kr 5kr:5ks;37u 37u:37v;59k 59k:59l;59m 59k:59n
5em 5em:5en;1gly 1gly:1glz;1ikr 1ikr:1iks;1iyp 1iyp:1iyq;1k5d 1k5d:1k5e;5mm 5mm:5mn
13:2o 2c ed 2 1 1 1 a 2 1 15 40 d2 3 3g q e9 1 2fp hu 1rl 2 1r q 1 2 n 3 qqf 13gl 1;13 13:y ig z h 8 l8 2 4in nd 1 2 350;13 1u:ap;13 1w:ay
13 28:bo;13 2c:bw;13 2h:c3;14:7s8 a 1pe 14iy e5;14 14:948;15:7s9 a 1pe 14iy e6;15 15:949;3f:7sk 2c2o;3h:7sl;7vq:9i2;7vr:9i3
7sc:7vs 1ls 1z b0 2pl9;7sd:7vt 1ls;52:94v;16:19p 541 cp 18g8;1b:4l1 1sc 3 cx nw gq fh jy 1 oc 4b 79 5m4 24mz;1b lg:8ae;1b 1b:8hp
1b 1b 1b:8hn;2k:6qe 14n fc 4 1jv 5lu 24m1 18;2k 2k:762 1pr;2k 40l:7uw;12:x2w;1v4:25s 5h8 1a8f 7g;xdo:1i3f;2tr:4pl;2u2:4ph;2u3:4pm
2z1 2z1:2z2;2m:jo 2;jr:k8 wbq;jt:4v 68f 11y 16t1 1 1 1 bb;jt 2q:ui;jt 2q 2x:wup;jz:ol;kq:l7 wez;kr:x04;kz:9he;4w:ka 666 qb r 1my
4w mq:6zg 1aic;4w lk:6zo;2cz:2d1;2ze 2ze:2zf;2ze 2zh:2zj;2zh 2ze:34e;2zh 2zh:2zi;6kk:2k2j;6n2:8oc;6n3:8od;6n4:8oe;6n5:8of;6nm:6np
6o3 6o2:86d;6o3 4ii:86n;6pu:2ojw;6pu mt:6o 2od9;6px:6ww;6pz:1jfs;6pz lk:6zm;6pz ms:6zv;6q6:7ew o;6q8:8cf;17:4j1 3ag 179i 193i;17 le:8bn
17 lm:8bm;17 lf:8bo;17 lj:6qc;17 mb:8bp;17 mo:8bq;17 6f6:8br;6v:7tj;1o:jm 3g6 hm 1vr 1f9 2caw;1o 53:405 2vl 1y6 1;1o 1o:6sq;1o 1o 1o:6vs
1p:3y8 56o gw mzj;1p li:6sa;1p le:6s9;1p lm:6s7;1p lj:6s0;1p lj mb:6s1;1p 59u:8ly;1p 6i8:8dq;1p ob:6se;1q:jn 3g0 2dj 1f9 1sr4 jjs;1q 53:401
1q 1o:8f9;1q 1q:6sr 1it;1q 1q 1q:6vt;3i:kc 5pg 43 dl;3i lk:6zs;3i lj:8dm qc;3i mb:93z;6qo:2ojs;6qv:6v4;6r8:94b;6r9:94a;6rb:94c;6rs:1i3i
6rz:7ke 2jv4;6sh:6sj 21g;6tp:8ar;6tq:8as;6tr:2k3c;6ts:2k3d;6tv:8at;6tw:8au;6tz:8aq;6u3:6zj;6u8:2rg1;6u9:2rf9;6uq:7gh;6ur:7g7;6va lk:6zn
6xe:7hc;6xl:8cd;6xw:6xx;6yj:893;6ym:7gu s0;6yq:891;6yx:88g;6yz:72b;6z2:72a;6z9:729;6zx:72e;70o:7js;739:7g1;73v:73w;7b6:7b7 16we 8b;7bg:7bj
7bw:7c3;7f0:7f4;7fa:7fb;7fc:7fh;7fl:7io;7g6:7g8 2;7jb:8vd;7jd:2rd6;7jx:2qky 7;7jy:73y 2jh6;87u:89l;89r:2rei;8bj:8ce;2jx4 2jxh:7l5
2jx4 2jxh 2jxq:7l6;2q6m:6nu;2rco:2j23;1v5:k9 22d;9oc:3g3 2w1 1 yz 1 2j3 5kg hrr h7a;9oc 9oc:3h2;9oc 3fl:16m1;9oc 3fp:16m2;9oc 3fp ffs:16m3
9oc 3ft:16m4;9oc 3fy:3h1;9oc ffs:3g4;9oc ffs 3fy:3h3;10 6hs:2q6n;4j:6g4;6go:9hu;5e8:5ek;xjk:xja;1yf:1ioh;2g7:2jr;37l:38l;6f5 6f4:73c
1e:br g1 3br sqt 4r 2z;19e:1de w65;1uw:240 1k;1yg:1ioi;2g8:2js;1e mt:cb;2qw 2q7:2qx;2qw 2qb:2r3
1f:c7 2t e3 5l w9 ao 6nn 14 8 o7y 1t mcf h2p jij;19f:1df 2n6e;1f me:wo;1g:3wu 1fj5;19g:1dg;1uy:25m;1g 53:46o;1h:cc 1j3z
1i:rw 1x 33x 4x0 1 9 1am1;19i:1di;1yk:1iom;1j:1fiq 3xw 10lo;1k:f6 1 1jb 3k 49 1d07 19dd;1v2:25q;1l:1yl 3e 75 ed 671 1 o83 mda w a
19l:1dl ha 1hml;2gf:2jz;2p:gh 9s 3j 66i;o3:92u;1t:pd 3j 32y ez sa1 iia lgg;2p mq:706;2p 2p:x0z;1t 1t:x0y;2p 2t:6e rz;1t 1x:5i su;2p 33:x11
1t 27:x10;1t 2a:2rd3;2p 39:x13;1t 2d:x12;2p 3a:x15 2;1t 2e:x14 2;2p 3d:x19;1t 2h:x18;5q8:xve;8rz:4as 2f0 pv3 1nhk;8s0:1fdr
2q:as iw 337 4j 8t 1w5j;1u:pe 3k 34y eb 4gb nri kk hxq v 2o;2q lw:gj;2q lj:41f;2q lg:aq 1 i6;2q mt:ao ki 1 15 1;2q 53:41r;2q lj 53:41t
2q 13:420;2q 30:tn;ih:tu 34a 4uf;2r:s2 27 2bn 2e 2i2 335 p3e hhq;o8:92l;1v:s9 14 33y 4w5 nqu iiw 2o 7n 7b 3wt 9 17x6;2r mw:4i be;1v 6i3:6g1
1v 6hs:2q9a;2r me:x7;1v me:x6;1v 13:av;a84 9 6hp:2q99;x3n:gr 9m 4f 59 5wj 1w5 p3m hhq 42t;x3m:sk 5ns 2cc;x3n mq:707;x1b:ot;x1a:sf
2s:zl 2xy 3s sir;1w:3vk fy c s89;2s lw:gn;2s mg:gm;2s lg:b0;2s mt:7l;1w mt:5s 1s 3d;2s mt mp:6gb;x2x:x2y;2s 53:41n;2s 13:41z;2s f1:is
2s 3e:ir;2s i9:it;5qd:xv4;61r:qc ca 361 4me 9o;2t:tx 3s 5m9 r9g;o4:92v;1x:ph 3k 32v 30z 20q nnb ihi 4dc 8;2t mw:g7;1x mw:g6;2t mg:xr;5qf:xvg
d9:gp hs;b2:6pv 27r nnb;d9 ke:gq;d9 33:5qs;d9 33 mw:xtt;d9 33 mt:xtu;b3:yg;b4:100 2wr 1bg6 l64 jjo;gs:tz 4wh;gs me:wp;gu:1feq;ii:x3x ia5
2u:an j s2 4yh r24 po;1y:rg 3iw sa1 jf hyn u hs 3ul w 10lt;1y me:b5;2u ms:5ta;2u 32 mh:ix;6k2:4ad sa1;x6j:4af 2fsp;2v:b1 5w m8 4qq
1z:zw 2wk 1f smb;2v lw:gw;2v mt:dh;1z mt:dg;1z 13:b7;gy:zx 2y6 txx;2w:xn 51 2tu;20:pj 3q 332 ch 4k2 nrt ijs;2w lw:h2 3gs syr;20 mh:wy 7ut
2w mt:87 ms;20 mt:86;20 me:xz 2;ik:u5 7yq p30;ik mh:wz;ik me:y0 2;dy:zu;8s6:xvk;8s5:og 37c 8 t1d;x0n:x3p
2x:8h 8o 1 35 4f 1r 4d 8c 2sj 34e 1sw o1g 10u lla;2x mq:708;2x mt:h4 5cj 1;2y:s3 2t;22:ov 3t 337 6a si4 k9;2y mt:g9;22 mt:g8;22 53:42h
fr:12t;5qi:xvf;23:pm 3k 34c kv 4an nr7 j0h;2z lw:bd;23 mh:wq 7v3;23 mt:wu 5jj qkz;23 13:bc
30:1d o 1f 7u 16 d5 31 56 f 6p l a 20 1m 40 61 2yf 28y d6 1p1 59 nmr hyu iq 3j n 5a2 7 fyh 3i o0v;24:3xa 5o 4rq npt it6 7f 3ul f h2c jkk
30 mw:8y;24 mw:8x;30 mg:h9;30 mt:bb 3;30 ms:h7;30 191:19v;30 53:8v 3ug;30 13:169;30 30:ch tr 55y en;30 mt 30 mt:1evt;30 mt 30 mt 2b mt:1evs
30 27:tq;30 37:iy;30 38:6gm;30 f1:ha;30 3e:iz;30 19w:19u 1d01 1;in:8up p25 hhx;25:po 2m y 32z ft 6e 4aq nrb ij5 2p;25 me:y5;25 1u:2rfv
5wf:92g;32:12w 4;26:pp 83h nra j03;26 lm:1evi;32 mg:hf;32 mh:97 2b ex cb;26 me:bh;32 ms:5tc;hg:8t7;5qm:on 5d 1el1
33:qn 4 16 29 93 2k 2u u 2h 3 k w hd 3k 3k 3k 3k 3k s 2s s 3k u 1y s 5q 3k 99 z 5b 1cx 10v 2 32m p0e hkf 5a 352 s8 f
27:1c of 3j 8n h7 o0 cm 162 53i 52 j7 n3g ihr p 9l 5a 2c 3vj 17 zk;33 le:1dr;33 mw:6w xmu;27 mw:60 8rt;33 mt:hh e6 3a 7u0 o8q ub 19
27 mt:bj e1 w 56 3a 2xi 19 2wb 7 5r 1t0 4h o49 1n0w 7ay;33 m3:xv8;27 13:3vo;56 1b 6f4:11 18l 548;56 1b 6f4 6f4:16x 55z
56 1b 6f4 6f4 6f4:16y 55z;33 2t:9f;27 1x:9e;33 5qf:hi;33 33:6qm q63 52;27 27:wwo 52;33 2ls 33:2n3;33 370:368 5j;gk:or 51x vo 18sn
au:sd 5ty py0 itk;gk mw:xtr;gk 2t:xuq;hj:1fen;34:72 5d ea 1j 20 65w 1tb 18;28:pt 3j 342 3v 4s5 18 npf iis;34 lw:bp;34 mt:5tp;34 53:41j
28 13:41y;5qw:5rd s5l;hk:qu 3i 7zb 1h 1;35:10b 20 3;29:8yd;35 lw:io;29 1x:2rcw;gb:5u8;8o:qi 3k 4wh 32i p41;8o mh:wr;8o mt:wv
36:tv 4xf 31b p1e 1 1l;2a:bq 3jv 1d c5 sbg ixd l1d jj5;36 mg:hp;36 mh:ho;36 mt:gd g6;36 ms:5te;36 13:wh;36 32:31 1j0z df;36 32 mw:6g5
36 32 me:hd;36 32 ms:5tb;hs:xv5 1d;5qx:un;hq ms:5tf;hr:6jt;37:cd ig 1qi ufm vt hi6 41l;2b:sl 96 2va 5 snc iic ay l5m;37 mg:hu;37 ms:5tg
67:qa 37i 23y r2v x;37 37 37:2rfg;hv:6qz r36;bt:pv 60e 27s;2c:pw 3i 328 2yq 111 y5 nqm iir q 2s 49z h1q qxq;38 lw:bx;2c lk:6zl;2c mw:fy
2c mg:by;2c mh:x8;2c 6i3:6ge;38 mt:9z;2c mt:9y;38 ms:5th;x3a:3a8;2c 1f:x0o;38 gl:iw;38 2u:x2v;38 37:iu;38 hv:iv;38 f1:x0p;5qz:qs 3i 7z9 p1n
5qz mh:x9;bv:3wf;39:i3 8q c8 4nz rcz q7 4 hpg 3xe;2d:11p 2ib gc 2qm 49 ppt ixm 3xm h3e;39 mh:v3;39 mt:5tq s2m;2d mt:g4 3go;2d 53:40o
2d 13:413;39 2t:5t7;39 33:xur;hc:12y 2i1;c1:4dq 6 25v;i2 mt:5tr;3a:ql 54 9v 4lk zs 49 r1k l7h ca
2e:vo dv 40 2jm 2e 4y1 nn2 e1 im6 3ur h2g jk5;2e mt:1evr;2e 53:3zv;2e 1u:2rfw;2e 5wk:2rd4;i4:5rb 31s 16pt
g5:pn 3k gd 40 2m1 4xy nn2 dl 7g hwz f7 l1p;g5 mw:x5o;g5 me:xx;g5 53:3zx;3b:hb d5 p 58 1w 4ow 330 p1i l8n 4 1;2f:10c 2vr x snq mws 9
3b w6 w7:vx;3b lj:1io5;2f mt:6g9;3b me:x29;i5:u4 4wh 32k p2m;i5 me:y6;3c:5z oe 3cs 1o 6p 3p9 1 77;of:92n
2g:pz 3i 3m0 22 2ws 1fd 4x nm6 js hy5 10 2r b ed 3wl;3c lj:8c0;2g mh:xe;2g mt:1evq;3d:gz 18 84 40 30 2ew 2hx ab 2p6 p0x lmq
2h:px 3i 3v 2yj k 4x7 nr8 iiu 4c2 h3z;3d lw:c4;3d mt:gf gy;2h mt:4l bt gy;f1:ia gf 2du 5hu 8 o7y;3e:5r6 s4x lkh;2i:pi 371 snt il5 4ac 1o
3e mg:i8;3e mt:c6;2i mt:c5;3e me:f9;2i me:f8;3e ms:5ti;8rw:8st;8rv:8ss;ib:8t9;66:s7 1eq5;x5f:x5e;x5h:x5g;bs:rt 4zf r35;at:uk x1v 12k2
at 2x:uj;g2:xvi;ip:wy5;ci:7e2;ig:6u1 og s7 nt nwv imz;pf:sz 332 6s 4pr 1rpf;pf mt:wi;pf 53:433;pf 13:wg;pg:3yb 2rn q5 1cj 62 163p u lfb qug
pg mq:6zd;pg 53:3yn;pg 3z4:3zg;rb:8v8;qj:8t2 ocl idc;qj mw:bf;pq:7jk 1ae;qo:u7 4x5 321 1rmo;ps:tb 5ww 235 o57 13gr;rc:1f3h 2t;sc:8u9
qq:rf 81c;py:tg 8f 2jx xc 4ai 16a1;qv:8tp p0m 2;qw:vl 7y6 16q2;q0:vk 3mw 4ba 169z f0;qx:705 1to o0s a2;q1:4dr 6 1apt;qx mq:709;ty mh:wn
t2 mh:wm;t4:om w8b ih0 14o6;st me:wa;u1 me:wb;xv:1fi4;u3:5rf;u3 me:xy;ux:xuo;wvd:1fjf;92k:5wu;sr:1fil;zi:2k1u;v4:3wn fc 2fqr;v4 w6 w7:vw
v4 53:4x9;wuk:8ts oau;uf:rp 1c5 1t;tj:ro;xj:y4;xi:y3;xo mg:xq;tk:8u4;tm 30:wuo;tp:6iw;wuw:20ik qud;8qn:xhu;12p:3o4
11k:3mo dq 2qj 49 ppv 1nio;11k 53:40q;11k 13:414;11w:6gt 2df 14 160o;121:jj k;17l 1hiy:1dp;17s 1cr:1g1;17s 1cy:1py;17s 190:1pd;1a3:1cg
1a8:1hhj;1g4:1gn 8y;17t:1c3 5nm;17u:1a2;17u li:1q7;1ae li:1q9;17x 1cr:1ad;17x 190:1a9 6p;17z:1f4x;17z 179:1ag;17z 1cr:1am 1;17z le:1da
17z mc mb:1pq;1ai 179:1aj;181 179:1ap;181 1cr:1aw;181 li:1aq;181 li lj:1q1;181 le:1db;181 190:1gs;181 18p 30 18k:6gx;182 le:1pu;1av 179:1gx
183 1cr:184;183 le:1ha;185:1f5e;185 1cr:1b2;185 mc mb:1pr;187:1f54;187 1cr:1b3;189:173;18h:1bb;1b5:19r gc 1;1b5 1cr:1b8 4;1b6 1cr:1pg
18j:1bd 1;18j 1cr:1bh 52;18j li:1qa;1bg:1gi;1bj:1ps;1bj 1cr:1bo;18k 1cr:1br;18k li:1bp;18l 1cr:1pj;18l 1hiy:1dq;18m:1hhi;18m 179:1go
18m li:1gp;18o:1pt 1df7;18o 1cr:1cb;18o lv:1c7;18o li:1c6;18o le:1c9;18o 19s:1c8;18p:18q 10 24 i 6 dn;18p 179:1a1 1u
18p 1cr:17v k 1r 1r k 3l;18p 1cr 1cy:1pz;18p li:1ce 3s;18p 179 li:1q8;18p 1cr li:1q6;18p li lj:1q2;18p le:18d;18p lm:1ov;18p 190:1pk
8xs:1f3s;8xu:6e6 1tn x0 2ab6;8yf:6e5 i9 17aj;3k6:11g;3mp:11o;3ou:117;3s3:11m;1s5 li:1v6;1s5 1tq:1s6;1s5 1tq li:1sh;1s5 1tq 1tm:1v8
1s5 1tq 1ty:1si;1s5 1tq 1u0:1sk;1s5 1tq 1jz8:1sj;1s5 1tm:1v7;1s5 1u7:1v9;1s5 1ty:1s4;1s9:204;1sf li:1sd;1sf 1ty:1se;1sf 1jz8:1sg;1sv:1zz
1sw:200;1sy:20b;1t0 1u5 1t0:1zw;1t6:207;1t6 1u5 1sv:22a;1t6 1u5 1sv 1xb:1zb;1t6 1u5 1sv 20w:1zc;1t6 1u5 1sv 1jz8:1zj;1t9:20e;1ta:20o
1tc 1u5 1s7:1s8;1th:1zp;1tl:20l;1tp:24d;xdn:1i3g;1tq li:1u1;1tq 1tm:1tn;1tm:1i2z 1w5;1tt:24h;1tu:24i;1ty:217;1u0:214;1u5:219 3k;1vp 1xa:1vq
1vv 1xf:1y8 1;1w8:1imq;1wa:1ims;1wc:1imu;1we:1imw;1wf:1imx;1wh:1imz;1wj:1ine;1wk:1in2;1wl:1in3;1wm:1in4;1wn:1in5;1wo:1in6;1wq:1in7;1ws:1ind
1wu:1inb;1wv:1inc;1ww:1yo 1gor;1wy:1in1;1x3:1inh;1x4:1ini;1x9:1io4;1xa:1ink;1xb:1tr 74 1gmq;1xj:1int;1xp:1io2;1xz:1inx;22b 1jz6:1zd
22b 1jz7:1ze;1z9 1u0:1zk;1z9 20u:1za;1z9 218:1zo;22t 24e:22u;22t 24e 24l:235;22t 24e 24n:237;22t 24e 24o:238;22t 24l:231;22t 24n:233
22t 24o:234;26d 27y:26e;287:375;29x:2cu;2a0:2b4 e;2a0 2bl:2cr;2a1:2co 81;2a1 2b7:2a2;2a1 2mv:2kq;2a6:2ct;2a6 2b9:2d3;2a8:2ak ao;2ad:2cn
2ai:2cq;2ai 2bl:2cs;2ai 2bm:2cy;2an 2bj:2m2;2ar:2lf;2ar 2ml:2nu;2aw 2bk:2d6;2b2:2lh;2b2 2bk:2d0;2b3:2cw;2b9:2l2;2b8:2lw;2b7:2c7;2ax:2bs
2ba:2bc am;2bb:2d4;2bj:2m7 1;2bq:2me;2bq 2bq:2mg;2bq 2ku:2kw;2br:2mf;2dh:2h1;2di:2h2;2dj:2h3;2dn 2f2:2g0;2do 2f2:2g1;2ds:2hc;2du:2he
2du 2fg:2dw 3k;2du 2fp:2dv 3k;2dz:2hj;2e4:2ho;2e5:2hp;2e6:2hq;2e7:2hr;2e9 mb:2ea;2eb:2hv;2ee:2hy;2ef 14s:2ed;2eg:2i0;2ek mb:2el;2en:2i7
2eo:2i8;2eo 14s:2e8;2ep:2i9;2eq:2ia;2et mb:2ev;2et 2f2:2ex;2et 2f5:2em;2er:2ib;2f3:2in;2f5:2ip;2f5 2f2:2f6;2f7:2ir;2f7 2f2:2f8;2h8 2im:2jl
2hi mb:2dy;2kn 2mv:2ko;2ky 2m6:2kz;2ky 2mv:2l0;2la:2n5;2li 2ml 2ls:2nf;2lk 2m9:2ks d 2o;2lk 2ml:2nj c;2lk 2ml 2lk:2ng;2lk 2ml 2lq:2my
2ls:2lt k1 5y;2ls 2ml:2ne i;2ls 37i:39d;2ls 370:35s;2ls 370 37d 2ls 370:36r;2lu 2ml:2nx;2lx 2ml 2ls:2ni;2m1 2ml 2lq:2nq;2lv 2ml:2ny
2m9:2ma 1;2oh:2ph;2oh 2qh:2oj;2oh 2q2:2oi;2ok:2pl;2or:2pi;2ow:2ps;2oy:2qy;2pb:2qz;2pj:2pw;2pv 2qg:2od;1ik4 1iki 1ij6:1ij7
1ik4 1iki 1ijc:1ijd;1ik4 1iki 1ijn:1ijo;1ik4 1iki 1ijt:1iju;1ik4 1iki 1ijw:1ijx;1ik4 1iki 1ijy:1ijz;1ite:1ivs 1;1itf:1ivu;1itg:1ivv
1iuq:1ivw;1iur:1ivx;2rm:2rn;2ro:2s4 1;2rq:2sh;2rs:2vc;2ru:2rv;2ry:2rz;2s1:2s7;2sa:2vu;2sb:2vv;2sd:2vx;2se:2vy;2sf:2vz;2sg:2sm;2si:2vh
2sv:4pg;2sy:2th;2t0:4on;2t1:4oo;2t2:4op;2t3:4oq;2t4:2wo;2t5:2wp;2tc 2tc:2td;31c 31w 32a 327:2yq;31c 31w 32a 2z8:2yr;31e:31m;31k 324 326:2yo
322 322:323;324 324:325;1k8a:1k8i;4k5:4l0;35v 37i:38w;36d 37i:38m;36d 370:36n;36d 370 37i:38v;399 37i:39a;36j 37i:38h;36m 37g:36x
36m 37g 287 370 37e:36y;39f lm:3a6;4ne:4nj;4o2:4o3;526:53k;52p:53l;56t:58g g;xkx:xn7;xlv:xna;5cd:5ea;5ch:5eb;5d4:5eg;xi5:xib;4t8:4uu;4s5:4t1
3y9 53:3yl;3y9 3z4:3zf;3yc 53:3yp;3yd 53:3yr;3yd 3z4:3zh;3ye 53:3yt;3yi 53:3yw;3yi 3z4:3zi;3yj 53:3yy;3z2 4wv:4wt;3z5:441;3zd:474;3zm 53:3zz
3zo 53:403;3zp:6zt;3zt 53:407;40f 53:40s;40g:6tf 2as;40g 53:40u;40g 13:415;40g 1b:7ux;40g 40l:8gn;40h 53:40w;40l:6te 2as;40l 53:40y
40l 13:416;40m 53:410;417 53:41h;417 13:41x;41a 53:41l;41c 53:41p;421:4cj;421 53:42b;423 53:42d;424 53:42f;426 53:42j;428:4ci;428 53:42l
429 53:42n;42r 53:431;42u 53:435;42v 53:437;42w 53:439;42z 53:43d;43k 53:43u;43m 53:4w7;43n 53:4w9;43o 53:4wb;43p 53:4wd;43r 53:43w
43s 53:43y;443:4ck;443 53:44d;445 53:44f;446 53:44h;447 53:44j;448 53:44l;44a:4cn;44a 53:44n;44b 53:44p;44t 53:453;44v 53:455;44w 53:457
44x 53:459;44y 53:45b;450 53:45d;451 53:45f;45n 1o:45o;45n 2q:45q;45n 40l:45p;45n 428:45r;45s 53:460;45t 53:462;45u 53:464;45v 53:466
45w 53:468;45x 53:46a;45y 53:46c;46g 53:46q;46h 53:46s;46i 53:46u;46j 53:46w;46l 53:46y;46m 53:470;477:4de;477 53:4ww;47a:4df;47e:4dg
47g 53:47j;47k 2q:48z;47k 2q lj:490;47k 2s:48x;47k 28:48v;47k 417:4fj;47k 418:48u;47k 41a:48w;47k 41c:48y;47k 41v:491;47u 53:47w;47y 53:4wz
486 53:4x0;487 53:489;48b 53:4x1;492 53:4x4;49h 22:49d;49h 421:4fk;49h 422:49a;49h 423:49b;49h 424:49c;49h 426:49e;49h 428:49f;49h 429:49g
49i 22:4fn;49i 423:4fl;49i 424:4fm;49i 426:4fo;49i 428:4fp;49i 429:4fq;49j 53:4x6;49z 53:4fr;4a0 53:4fs;4a1 53:4ft;4a2 53:4fu;4a3 53:4fv
4a4 53:4fw;4a5 53:4fx;4b6:8ff;4b9:8fe;4bl:wl3;4c4 53:4xc;4d7 53:4xe;4f4:wkt;4wv 3z2:4ws;4xh:ki 4c9 s9i;4hl:wxc;4ho:4ip;4hp:4hu 2il;4i3:2k3j
4i7:6mp;4i8:6nz;4i8 6o2:86m;4i8 4ii:86b;4j3:8yr;4ii:6ny 1nn;4ik:6v8 lf 3 48 17hu 4df 17z1;4ik mq:6ze;4im:6vc 1g5;4iu:1fio;4iw:6mt;1h1e:1h4s
1h2d:1h4q;3cw:3hk;3cw 3cw:3cx 4o;3cw 3cy:3ju;3cw 3cz:3fe;3cw 3d1:3ib;3cw 3d3:3jv;3cw 3d5:3hm;3cw 3d5 3cw:3ic;3cw 3da:3jw;3cw 3db:3jx
3cw 3de:3jy;3cy:3hn;3cy 3cw:3df 4y;3cy 3cy:3dg 6j;3cy 3cz:3dh 4x;3cy 3d1:16mj;3cy 3d3:3di;3cy 3d5:3ff 30;3cy 3d8:3fg 28;3cy 3da:16mk
3cy 3dc:3ih;3cy 3de:3fh 28;3cy 3eo:3ig;3cy 3fy ffs:mkf;3cz:3hq;3cz 3cw:3dj 4z;3cz 3cz:3d0 139l;3cz 3cz 3d3:16mm;3cz 3d1:3fi 31;3cz 3d2:xgg
3cz 3d3:xgh 966;3cz 3d5:xgi 966;3cz 3d5 3cw:16mp;3cz 3d8:xgj 967;3cz 3da:16mr;3cz 3dc:16ms;3d1:3hr;3d1 3cw:3hs tys;3d1 3cw 3cw:xgl 968
3d1 3cw 3d5:3ik;3d1 3cw 3de:16mu;3d1 3cy:3dk 51;3d1 3cz:3im ty0;3d1 3cz 3cz:xgn;3d1 3cz 3de:3in;3d1 3d1:3dl 53;3d1 3d1 3db:16mv
3d1 3d2:3ht tyv;3d1 3d2 3cw:3ip;3d1 3d2 3d5:3iq;3d1 3d2 3de:16mw;3d1 3d3:3hu tyv;3d1 3d3 3cz:16mx;3d1 3d3 3d3:xgq;3d1 3d3 3d5:3ir
3d1 3d3 3d7:3it txy;3d1 3d3 3dd:16my;3d1 3d3 3de:3is;3d1 3d5:3hv tyx;3d1 3d5 3d5:3iu;3d1 3d7:3dn 139e;3d1 3d8:xgt;3d1 3db:3iw txy
3d1 3dc:3hw;3d1 3dd:3hx;3d1 3de:3dm x 3f 135o;3d1 3eo:3iv;3d1 3f0:16mz;3d1 3fd:3ix;3d1 3fd 3de:16n0;3d2:3hz;3d2 3cw:3iy txx;3d2 3cy:16n2
3d2 3cy 3cy:16n3;3d2 3cz:xgw;3d2 3d1:3iz;3d2 3d2:16n4;3d2 3d3:3do 5c;3d2 3d3 3d5:16n5;3d2 3d5:3j1 txw;3d2 3d5 3d5:3j2;3d2 3d7:3dp 5h
3d2 3d8:16n6;3d2 3da:3j4;3d2 3de:3j5;3d2 3eo:3j3;3d2 3fl:ggv;3d3:3i0;3d3 3cw:3dq;3d3 3cy:3dr;3d3 3cz:3ds 139f;3d3 3d1:3j7;3d3 3d1 3dd:16n8
3d3 3d2:16n9;3d3 3d3:3d4 13a6;3d3 3d3 3d7:3e4;3d3 3d5:3dt 48;3d3 3d5 3cw:3du;3d3 3d5 3cz:3dv 139g;3d3 3d5 3d3:3dw;3d3 3d5 3d5:3dx
3d3 3d5 3d8:3dy;3d3 3d5 3dc:xgy;3d3 3d7:3e3 57;3d3 3d8:3dz 139d;3d3 3da:3e0 139d;3d3 3db:xgz;3d3 3dc:3e1;3d3 3dd:3e2 56;3d3 3de:3j9 txr
3d5:3i2;3d5 9oc 3cw:fka;3d5 9oc 3d2:glk;3d5 3cw:3e5 56;3d5 3cy:3e6;3d5 3cz:3e7 55;3d5 3d1:3e8 55;3d5 3d2:3e9 1395;3d5 3d3:3ea 54
3d5 3d3 3cw:3eb;3d5 3d3 3d7:16nf;3d5 3d5:3d6 4x;3d5 3d5 9oc:fff;3d5 3d5 3cw:16ng;3d5 3d5 3cz:16nh;3d5 3d5 3d3:xh1;3d5 3d5 3d5:3ec
3d5 3d7:3ed;3d5 3d8:3ee 1395;3d5 3da:3ef 1395;3d5 3db:3eg;3d5 3dc:3eh 1394;3d5 3dd:3ei;3d5 3eo:16ni;3d7:3i4;3d7 3cw:3ep 4r;3d7 3cw 3cw:3jh
3d7 3cz:3eq;3d7 3d1:xh2;3d7 3d2:3er;3d7 3d3:3es;3d7 3d5:3et 4s;3d7 3d7:3ev 4n;3d7 3d8:3ew;3d7 3da:3ex;3d7 3db:3jj;3d7 3dc:3ey;3d7 3dd:3ez
3d7 3de:xh3;3d7 3eo:3eu 4s;3d8:3i5;3d8 3d3:16nr;3d8 3d3 3d3:16ns;3d8 3d7:3f1;3d8 3d8:3d9 13ak;3d8 3d8 3de:xh4;3d8 3ft:ff9;3da:3i6
3da 3db:3f6;3da 3de:3f7;3db:3i7;3dc:3i8;3dc 9oc 3cy 3d8:98x k9y;3dc 3dc:xh5;3dd:3i9;3dd 3d3:3fa 4d;3dd 3d5:16nu;3dd 3d7:3fb 4d;3dd 3dc:16nv
3dd 3de:xh6;3de:3ia;3de 3cy:3jp;3de 3d1:3jq;3de 3d2:3jr;3de 3d3:3js;3de 3d5:xh7;3de 3de:3fc;3ek 3ek:3el;3em 3em:3en;3eo:3jf;3eo 3d3:16nn
3eo 3d3 3d7:16no;3f0:3jk;3f0 3d2:16np;3f0 3de:16nq;3f2 3f2:3f3;3f4 3f4:3f5;3fd:3jt;3fd 3fd:xh8;3fl 9oc:3hf;3fl 3ft:3g6;3fl 3fy:3g7
3fl ffs:3fm;3fn 3ft:3g8;3fn 3fx:3g9;3fn 3fy:3hg;3fn ffs:3fo;3fp 9oc:3gc;3fp 3ft:3ga;3fp 3fy:3gb;3fp ffs:3fq;3fr 3fn:3hh;3fr 3ft:3gd
3fr 3fy:3ge;3fr ffs:3fs;3ft 3fl:3fu;3ft 3fl ffs:3fv;3ft 3fn:3hi;3ft 3fn ffs:3hj;3ft 3fp:3gf;3ft 3fp ffs:3gg;3ft 3fr:16ls;3ft 3fr ffs:3gh
3ft 3ft:3gi;3ft 3ft ffs:16lt;3ft 3fy:3gj;3ft ffs:3fw;3fx 3fl:16lu;3fx 3fl ffs:16lv;3fx 3fn:3gk 2;3fx 3fn ffs:3gl;3fx 3fp:16lw;3fx 3ft:3gn
3fx ffs:3go;3fy 3fl:3gp;3fy 3fl ffs:3gq;3fy 3fp:3fz;3fy 3fp 9oc:3gr;3fy 3fp ffs:3g0;3fy 3fr:16lx;3fy 3fr ffs:3gs;3fy 3fy:3gt;3fy ffs:3g1
3fy ffs ffs:16ly;3g2 3fl:3gu;3g2 3fl ffs:16lz;3g2 3fp:3gv;3g2 3fp ffs:3gw;3g2 3fr:3gx;3g2 3fr ffs:3gy;3g2 3ft:16m0;3g2 3fy:3gz;3g2 ffs:3h0
3ha 3fl:16md;3ha 3fp:3hb;3ha 3fp ffs:16me;3ha 3fy:3hc;3ha 3ha:3he;3ha ffs:3hd;9ko:9nc;9j0:6yp 1ab;2dk2:fim;vnu:wim;vo0:wj0;vr4:wik;vua:wiw
w2h:wjj;w4x:wji;w5p:wic;wbv:wjk;wc5:wjm;wcf:wje;wci:wj4;wgo:wiv;wk5:6ud 10d p9r 1my3;wkk:x3y;wko:6kh;wl2:6ki 18sv l5h jjj m;20hs:6kj
1jvp 1jvz:1jvq;1jvp 1jvp:1jvs;1jvp 1jvp 1jvz:1jvt;1jvp 1jvp 1jw0:1jvu;1jvp 1jw0:1jvr;1jw3 1jvz:1jw4;1jw3 1jw3:1jw6;1jw3 1jw3 1jvz:1jw7
1jw3 1jw3 1jw0:1jw8;1jw3 1jw0:1jw5;1jvv 1jvz:1jvw;1jvv 1jvv:1jvx;1jvv 1jvv 1jvz:1jvy;1f3c:6tx 1gs om1 1uha;1f3w:7gd 2clz 7ao;1f40:89i
1fei:x3v;1fde:x3u;1fgm:1fhc;1f9e:1fbl;1f9v:1fbn;1fa2:1kxk;1ggu:7j9 1h3o;ffs:3g5 3l3 3 3 3 5 4 2sj;ffs 9oc:3h8;ffs 3fl:3h4;ffs 3fn:3h5
ffs 3fn 3ft:16m5;ffs 3fn ffs:16m6;ffs 3fr:16m7;ffs 3fr ffs:16m8;ffs 3ft:3h6;ffs 3ft ffs:16m9;ffs 3fx:16ma;ffs 3fy:3h7;ffs 3g2:16mb
ffs 3ha:3h9;ffs ffs:16mc;fh5:9uo;fh6:96r nw;fh7:96q no;fi8:99u;fid:9ui;fik:9mz;fjv:96t f3;fp1:fsy;ftw:fuk;g1r:9pi 1qz0;g1s:972;g2z:9n3
g6t:2ues;g76:96x;gbf:9m3;ggd:34m;ggg:34l;ggh:3yht;ggs:9mw;aim:96z;gkj:9nx 7hm;ako:dcr;gur:gv3;h7j:hkb;app:beb;hgh:hgr;hij:hkv;hkn:2xbn
hlh:9mn;hlm:2xdz;2xm0:2xlz;hwv:hz4;i76:974;i77:973;ibk:3tbu;ijp:9m0;ik3:976;ild:ilu;inu:977;itt:978;ivu:30g5;ix0:97a;b96:97b;jee:jeg;jf0:97c
bi9:jrd;jzp:97d;k21:99n;k4h:97f;bmi:kc6;k7u:k89;33a7:3tby;kcs:peu;kcv:pg0;kcw:pfu;kcz:phd;bp1:ph2;kd4:pif;bp6:imo;bp7:dgg;kdf:plz;kfi:kjj
bs3:kx5;kv1:kyv;l7z:99p;l8a:97i;lch:97k;ldh:97l;ldm:97m;lmt:358g;lu0:lzt;m7g:97n;mjv:97o;ffw:97q;mnh:97s;37dg:3rnp;mud:37jx;395l:395m
cop:vk3;cov:k83;npw:nrj;ny3:97x;o9o:99r;oop:97z;or9:os6;ouf:4dq4;p5e:97v 7;p5f:981;paa:989;3d7s:3d7h;pds:98a;ph8:pj5;dhf:kdi;prt:98e 1 1
3eie:3eo6;q6l:qbj;qif:qip;qj2:98h;qxw:98i;r5r:98k;r5s:98j;r7l:98l;3gz2:dxx;rkw:98o;ram:rct;dyu:ra6;rk6:rkf;rq4:rqb;rvh:98p;rvf:3b2s;ry7:rye
s11:s1m;s5z:s63;sbq:98r;s8v:s9z;sdy:98s 1;slq:sm6;tc5:98w;t65:t66;tiw:98y;tj3:98z;tm0:990;tnh:98v 7;trr:trs;tw2:994;u06:995;u45:996;u6m:997
u72:998;u73:999;u74:99b;uar:99c;ui4:99e;unw:99g;uws:99h;v9e:v9f;vc6:99k;vd0:99l;vdd:vde;vgw:99o;vi7:99q;vix:99s;2fw:2jg;5ay:5wo;5az:92m
5b9:5bb;5bd:m2;x5a:id wmy;1hiy:nc;1jz6:1ue 6j;1jz7:1uf 6j;1jz8:1tz 74;20oj:g2a;2j22:2qrx;2j24:2qtf;2jei:2qnr;2jej:2qqq;2jek:2qlv;2jel:2qmm 1
2jem:2qmq;2jen:2qmr;2jfk:83j;2jg0:88l;2rps:6o4;2rpt:6oc;2s0l:7kn;2s0n:7kt;2sca:2qz8;3tbz:j7c;9i4:1efy;1e7z:1ef2;4p:794;4u:79j;6jb:79h
6x3:1e7o;730:1e7p;731:1e7q;732:1e7r;733:1e7s;734:1e7t;735:1e7u;7fu:1ejx;2q6l:7ai;7sw:76o;7t5:76x;7sx:76p;7sy:76q;7sz:76r;7t0:76s;7t1:76t
7t2:76u;7t3:76v;7t4:76w;61v:61m;5sb:5un;5ro:5tk;30 18k 18k 18x 19s 33:1e5u;56:6eo;x2o:6ex;jl:kk;17s 17y:1du3 3r;18k 30 19w:1ed3 1
18o 19w:1e9x 1;18p 19w:1ea1 1 1 1;18p 19w 30:1dre 1;18p 19w 33:1drg 1 4u 1x;18p 19w 1a3:1drq 1 1;18p 19w 17w:1ds0 47;18p 19w 17x:1ds1 47
18p 19w 17y:1dw9;18p 19w 181:1dus;18p 19w 182:1dut;18p 19w 18l:1ds2 2s 1g 1x;18p 19w 18m:1duv;18p 19w 18o:1dri 1;18p 19w 18o lv:1drk 1
18p 19w 18o li:1drm 1;18p 19w 18o 19s:1dro 1;18p 19w 18p:1drt 1 1 8 1 2s 1;4ee:5vf;4wk:5ve;4wm:5ry;4xf:kh;4xg:j7
`
