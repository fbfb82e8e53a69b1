// A page for each text file and each folder that the documentation links to.
import { content, folders, language, linkedFiles } from '../.vitepress/repository.mjs';

export default {
  paths: () => [
    ...folders.map((folder) => ({ params: { file: `${folder}index` }, content: content(folder) })),
    ...linkedFiles.filter(language).map((file) => ({ params: { file }, content: content(file) })),
  ],
};
