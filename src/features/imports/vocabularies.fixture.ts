const words = (text: string): readonly string[] => text.split(' ')

/** Words of names, and cities, by the letters that they need. All are invented or everyday words. */
const VOCABULARIES = {
  english: {
    words: words(
      'Harbor Meadow Copper Lantern Quarry Saffron Timber Velvet Willow Anchor Beacon Cobalt Drift Ember Falcon Granite Source Total Indigo Juniper',
    ),
    cities: words('Leeds Austin Boston Perth Dublin Tampa'),
    text: 'Software for shops that sell online and in town.',
  },
  western: {
    words: words(
      'Müller Größe Straße Café Société Señal Muñiz Óptica Crème Fenêtre Ação Coração Lumière Über Öl Ängelholm Bücher Château Garçon Niño Æther Søren Ærø Où',
    ),
    cities: words('München Zürich Köln León Málaga Besançon Orléans Århus'),
    text: 'Für Geschäfte in der Nähe, où l’équipe sélectionne des matériaux à très faible coût.'.replace(
      '’',
      "'",
    ),
  },
  central: {
    words: words(
      'Łódź Żółw Święto Gdańskie Źródło Książka Pięć Dąb Śnieg Wrocławska Młyn Ćwikła Jabłko Ręka Złoty Węzeł Mąka Żagiel Łąka Świt',
    ),
    cities: words('Łódź Gdańsk Kraków Poznań Wrocław Częstochowa'),
    text: 'Oprogramowanie dla sklepów, które sprzedają świeże owoce i źródlaną wodę przez całą dobę.',
  },
  cyrillic: {
    words: words(
      'Северный Луч Каменный Брод Тихая Гавань Красный Мост Зелёный Сад Быстрая Река Новый Берег Белый Парус Старый Мельник Чайка Ясный Путь',
    ),
    cities: words('Тверь Омск Псков Казань Самара Тула'),
    text: 'Программа для складов, которая считает товары и напоминает о сроках поставки.',
  },
  greek: {
    words: words('Θάλασσα Ήλιος Δέντρο Πέτρα Γέφυρα Αστέρι Κύμα Βουνό Λιμάνι Φάρος Χρυσός Ουρανός'),
    cities: words('Αθήνα Πάτρα Βόλος Χανιά'),
    text: 'Λογισμικό για μικρά καταστήματα.',
  },
  simplified: {
    words: words(
      '海洋 光明 东方 新华 科学 数据 云计算 智慧 医疗 机器人 绿色 能源 远方 星辰 农业 银行 教育 未来 网络 长江',
    ),
    cities: words('武汉 上海 北京 广州 杭州 成都'),
    text: '为中小企业提供的软件，帮助他们管理客户和供应商的数据。',
  },
  traditional: {
    words: words(
      '海洋 光明 東方 新華 科學 數據 雲端 智慧 醫療 機器人 綠色 能源 遠方 星辰 農業 銀行 教育 未來 網路 長江',
    ),
    cities: words('臺北 高雄 臺中 香港 新竹 臺南'),
    text: '為中小企業提供的軟體，幫助他們管理客戶和供應商的資料。',
  },
  japanese: {
    words: words(
      'さくら 山田 ひかり 東京 みらい 株式会社 データ ロボット 緑 エネルギー 空 あおぞら 海 クラウド 医療 サービス 光 農業 ソフト 学び',
    ),
    cities: words('東京 大阪 京都 札幌 福岡 横浜'),
    text: '中小企業のためのソフトウェアで、顧客と仕入先のデータを管理できます。',
  },
  korean: {
    words: words(
      '바다 하늘 한국 미래 데이터 로봇 초록 에너지 구름 의료 서비스 빛 농업 소프트 배움 은행 교육 나무 별 강',
    ),
    cities: words('서울 부산 대구 인천 광주 대전'),
    text: '중소기업을 위한 소프트웨어로 고객과 공급업체의 데이터를 관리합니다.',
  },
  arabic: {
    words: words('البحر النور الشرق المستقبل البيانات الطاقة الخضراء السماء النجوم الجسر الميناء الزراعة'),
    cities: words('القاهرة دبي الرياض عمان'),
    text: 'برنامج للشركات الصغيرة.',
  },
  hebrew: {
    words: words('ים אור מזרח עתיד נתונים אנרגיה ירוק שמיים כוכב גשר נמל חקלאות'),
    cities: words('חיפה אילת יפו'),
    text: 'תוכנה לעסקים קטנים.',
  },
  hindi: {
    words: words('समुद्र प्रकाश पूर्व भविष्य आंकड़े ऊर्जा हरित आकाश तारा सेतु बंदरगाह कृषि'),
    cities: words('मुंबई दिल्ली पुणे'),
    text: 'छोटे व्यवसायों के लिए सॉफ्टवेयर।',
  },
} as const

export type Vocabulary = keyof typeof VOCABULARIES

const ALL = Object.keys(VOCABULARIES) as Vocabulary[]

/** The vocabularies of a file, of which the first is its language. */
export function vocabulariesOf(vocabularies: Vocabulary | 'any') {
  const names: Vocabulary[] = vocabularies === 'any' ? ALL : [vocabularies, vocabularies, 'english']
  return names.map((name) => VOCABULARIES[name])
}
