/** Domains of providers of mail addresses, which are not those of a person's company. */
export const FREE_MAIL_DOMAINS: ReadonlySet<string> = new Set(
  (
    'gmail.com googlemail.com outlook.com hotmail.com live.com msn.com yahoo.com ymail.com rocketmail.com icloud.com me.com ' +
    'mac.com aol.com gmx.de gmx.net gmx.at gmx.ch gmx.com web.de t-online.de freenet.de mail.com proton.me protonmail.com pm.me ' +
    'fastmail.com hey.com zoho.com hotmail.co.uk hotmail.fr hotmail.de hotmail.it yahoo.co.uk yahoo.fr yahoo.de yahoo.it ' +
    'btinternet.com orange.fr wanadoo.fr free.fr laposte.net sfr.fr libero.it virgilio.it bluewin.ch yandex.ru mail.ru bk.ru ' +
    'wp.pl o2.pl onet.pl interia.pl seznam.cz comcast.net verizon.net att.net qq.com 163.com 126.com naver.com'
  ).split(' '),
)
