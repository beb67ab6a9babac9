/**
 * The six published rows: what differs between them. All pictures are PNG, 1280 x 720, the first screenshot of their row;
 * every gold category is BROWSER_TASK and no task needs a login. The task names are the dataset's own words.
 */
export const PUBLISHED_ROWS = [
  {
    id: 'cmcc8u6yc00va1p1ydsdu52zy',
    stream_order: 0,
    family: 'fox_news',
    source_path: 'tmpkprrtx26.png',
    sha256: '4e47c7bf25d49c171106a0c57047432abb25465aa6412c85646282bd6c984d9f',
    byte_count: 331403,
    task_name:
      'Use the top-right search bar to look up the term “privacy policy,” open the official Privacy Policy page, and note three categories of personal information the site says it collects from visitors. Only use http://foxnews.com to achieve this task.',
  },
  {
    id: 'cmcc8u6yc00v91p1yw2eruz95',
    stream_order: 1,
    family: 'fox_news',
    source_path: 'tmpjmcbtc6a.png',
    sha256: '8adc6a49d46b50ada50ed23a40ea88d5560634cbe2c164b48b88085bb90b3101',
    byte_count: 367515,
    task_name:
      'From the FoxNews.com homepage, navigate to the “About” or “Corporate Information” page and list the year Fox News Channel was launched, the name of its founder, and the city in which its headquarters is located. Only use http://foxnews.com to achieve this task.',
  },
  {
    id: 'cmcc8u6yc00vm1p1yhjl1u0bf',
    stream_order: 2,
    family: 'fox_news',
    source_path: 'tmp200am38u.png',
    sha256: '6451be512b6f698ec993519540241c13be270a99c6f54e68901856b30bbd408b',
    byte_count: 421138,
    task_name:
      'In the site footer, locate the “Contact Us” or “Fox News Careers” link. Open it and note two different job categories or departments that the careers page lists as hiring (e.g., Production, Technology). Only use http://foxnews.com to achieve this task.',
  },
  {
    id: 'cmcc8u6ym018l1p1yxhf18gc2',
    stream_order: 5,
    family: 'non_fox',
    source_path: 'tmpbavkj4a_.png',
    sha256: '82583cede3f62a847b426c1c0cd748ea3845a81e4c972a8fd0f2b2ee0051d68b',
    byte_count: 451801,
    task_name:
      'From the Templates section, open the “All Templates” gallery, filter by the “Photography” category, choose any one template, and list every pre-designed page type (e.g., Gallery, About, Contact) that the template’s detail panel claims to include. Only use http://squarespace.com to achieve this task.',
  },
  {
    id: 'cmcc8u6yd00wv1p1yy8guorre',
    stream_order: 6,
    family: 'non_fox',
    source_path: 'tmpal02g__l.png',
    sha256: '426fd1f1827ccd7c94b694a6b3fa83a98225d1708a30a8458288b51a1486b703',
    byte_count: 539964,
    task_name:
      'In the Lighting department, filter for Pendant Lights that are “Black” in finish and “Industrial” in style; provide the height (in inches) of the shortest fixture that appears on the first results page. Only use http://homedepot.com to achieve this task.',
  },
  {
    id: 'cmcc8u6yd00wr1p1yj7aot3ae',
    stream_order: 7,
    family: 'non_fox',
    source_path: 'tmphfashaaw.png',
    sha256: '593733c1ef25d41da52297243a3851b16e22c7aa6c179e994f81b73c2b9da103',
    byte_count: 624821,
    task_name:
      'Use the Store Finder, enter ZIP code 10001, and note the distance (in miles) to the nearest Home Depot location as displayed. Only use http://homedepot.com to achieve this task.',
  },
] as const;
