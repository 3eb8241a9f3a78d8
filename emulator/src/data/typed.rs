//! Deserializes the members of a block into user types with serde.
//!
//! [`structs`](super::structs) decodes members to JSON, where floats that JSON cannot express are strings; this module
//! converts these back to floats.

use serde::de::value::{MapDeserializer, SeqDeserializer};
use serde::de::{DeserializeOwned, Deserializer, IntoDeserializer, Visitor};
use serde_json::Value;

use crate::error::{Error, Result};

/// Deserializes a `T` from the result of [`decode`](super::structs::decode).
pub(crate) fn from_value<T: DeserializeOwned>(value: &Value) -> Result<T> {
    T::deserialize(Data(value)).map_err(|e| Error::invalid(format!("the block does not fit the type: {e}")))
}

struct Data<'a>(&'a Value);

impl<'a, 'de> IntoDeserializer<'de, serde_json::Error> for Data<'a>
where
    'a: 'de,
{
    type Deserializer = Self;
    fn into_deserializer(self) -> Self {
        self
    }
}

impl<'a, 'de> Deserializer<'de> for Data<'a>
where
    'a: 'de,
{
    type Error = serde_json::Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> serde_json::Result<V::Value> {
        match self.0 {
            Value::Array(list) => {
                let mut list = SeqDeserializer::new(list.iter().map(Data));
                let value = visitor.visit_seq(&mut list)?;
                list.end().map(|()| value)
            }
            Value::Object(map) => {
                let members = map.iter().map(|(name, value)| (name.as_str(), Data(value)));
                visitor.visit_map(MapDeserializer::new(members))
            }
            other => Deserializer::deserialize_any(other, visitor),
        }
    }

    fn deserialize_f32<V: Visitor<'de>>(self, visitor: V) -> serde_json::Result<V::Value> {
        self.deserialize_f64(visitor)
    }

    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> serde_json::Result<V::Value> {
        match self.0.as_str().and_then(|text| text.parse().ok()) {
            Some(float) => visitor.visit_f64(float),
            None => self.deserialize_any(visitor),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> serde_json::Result<V::Value> {
        if self.0.is_null() { visitor.visit_none() } else { visitor.visit_some(self) }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> serde_json::Result<V::Value> {
        visitor.visit_newtype_struct(self)
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 char str string bytes byte_buf unit unit_struct seq tuple
        tuple_struct map struct enum identifier ignored_any
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;
    use serde_json::json;

    #[derive(Deserialize, Debug, PartialEq)]
    struct Item {
        p: [f32; 2],
        n: i32,
    }

    #[test]
    fn members_become_fields() {
        let value = json!({ "items": [{ "p": [1.5, "inf"], "n": -1 }], "flag": true });
        #[derive(Deserialize, Debug, PartialEq)]
        struct Block {
            flag: bool,
            items: Vec<Item>,
        }
        let expected = Block { flag: true, items: vec![Item { p: [1.5, f32::INFINITY], n: -1 }] };
        assert_eq!(from_value::<Block>(&value).unwrap(), expected);
        let e = from_value::<Item>(&json!({ "p": [1.0, 2.0, 3.0], "n": 1 })).unwrap_err();
        assert!(e.to_string().contains("does not fit"), "{e}");
        let e = from_value::<Item>(&json!({ "p": [1.0, 2.0] })).unwrap_err();
        assert!(e.to_string().contains("`n`"), "{e}");
    }
}
