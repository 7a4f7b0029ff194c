//! tantivy as a peer: one text field with its default tokenizer, one merged segment in memory.

use tantivy::collector::TopDocs;
use tantivy::query::QueryParser;
use tantivy::schema::{Field, Schema, TEXT};
use tantivy::{Index, IndexReader, IndexWriter, TantivyDocument, doc};

/// A tantivy index of texts.
pub struct TantivyPeer {
    writer: IndexWriter,
    reader: IndexReader,
    parser: QueryParser,
    text: Field,
}

impl TantivyPeer {
    /// Indexes the texts into one segment.
    ///
    /// # Errors
    /// Those of tantivy.
    pub fn new<'a>(texts: impl Iterator<Item = &'a str>) -> tantivy::Result<Self> {
        let mut schema = Schema::builder();
        let text = schema.add_text_field("text", TEXT);
        let index = Index::create_in_ram(schema.build());
        let mut writer: IndexWriter = index.writer_with_num_threads(1, 256 << 20)?;
        for body in texts {
            writer.add_document(doc!(text => body))?;
        }
        writer.commit()?;
        let segments = index.searchable_segment_ids()?;
        if segments.len() > 1 {
            writer.merge(&segments).wait()?;
        }
        let reader = index.reader()?;
        let parser = QueryParser::for_index(&index, vec![text]);
        Ok(Self {
            writer,
            reader,
            parser,
            text,
        })
    }

    /// Adds a text and makes it visible to the next query.
    ///
    /// # Errors
    /// Those of tantivy.
    pub fn add(&mut self, body: &str) -> tantivy::Result<()> {
        self.writer.add_document(doc!(self.text => body))?;
        self.writer.commit()?;
        self.reader.reload()
    }

    /// The `k` best texts for a question; only their addresses and scores, without reading the texts.
    ///
    /// # Errors
    /// Those of tantivy.
    pub fn search(&self, question: &str, k: usize) -> tantivy::Result<usize> {
        let query = self.parser.parse_query(question)?;
        let top = self
            .reader
            .searcher()
            .search(&query, &TopDocs::with_limit(k).order_by_score())?;
        Ok(top.len())
    }

    /// How many segments there are.
    #[must_use]
    pub fn segments(&self) -> usize {
        self.reader.searcher().segment_readers().len()
    }

    /// One search result's document, to prove that it is there.
    ///
    /// # Errors
    /// Those of tantivy.
    pub fn first(&self, question: &str) -> tantivy::Result<Option<TantivyDocument>> {
        let query = self.parser.parse_query(question)?;
        let searcher = self.reader.searcher();
        let top = searcher.search(&query, &TopDocs::with_limit(1).order_by_score())?;
        top.first()
            .map(|(_, address)| searcher.doc(*address))
            .transpose()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_what_was_added() -> tantivy::Result<()> {
        let mut peer = TantivyPeer::new(["the red boat", "a blue car"].into_iter())?;
        assert_eq!((peer.segments(), peer.search("boat", 5)?), (1, 1));
        peer.add("another boat")?;
        assert_eq!(peer.search("boat", 5)?, 2);
        assert!(peer.first("car")?.is_some());
        Ok(())
    }
}
