//! Values of JSON as values of Rust, with errors in the terms of JSON: arrays, objects, and integers that are not
//! negative. The objects of glTF are left to [`super::json`].
//!
//! The JSON library names the types of Rust in its errors. Here, the type that a value must have is compared with the
//! value before the visitor sees it, so the error is written once, and text of the file is never taken for it.

use std::fmt;

use serde::de::value::BorrowedStrDeserializer;
use serde::de::{self, DeserializeOwned, DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde::forward_to_deserialize_any;
use serde_json::{Number, Value};

/// Description of a value that does not fit.
#[derive(Debug)]
pub struct Wrong(String);

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Wrong {}

impl de::Error for Wrong {
    fn custom<T: fmt::Display>(text: T) -> Self {
        Wrong(text.to_string())
    }

    fn invalid_value(found: de::Unexpected<'_>, expected: &dyn de::Expected) -> Self {
        match found {
            de::Unexpected::Float(v) => misfit("value", &Value::from(v), expected),
            _ => Wrong(format!("invalid value: {found}, expected {expected}")),
        }
    }
}

/// Reads a value.
pub fn read<T: DeserializeOwned>(value: &Value) -> Result<T, Wrong> {
    T::deserialize(Json(value))
}

/// The error for a value of a wrong type, or of the right type but out of range.
fn misfit(what: &str, found: &Value, expected: impl fmt::Display) -> Wrong {
    let found = match found {
        Value::Null => "null".into(),
        Value::Bool(v) => format!("boolean `{v}`"),
        Value::Number(n) if n.is_f64() => format!("floating point `{n}`"),
        Value::Number(n) => format!("integer `{n}`"),
        Value::String(text) => format!("string {text:?}"),
        Value::Array(_) => "array".into(),
        Value::Object(_) => "object".into(),
    };
    Wrong(format!("invalid {what}: {found}, expected {expected}"))
}

/// A value that is being read.
#[derive(Clone, Copy)]
struct Json<'v>(&'v Value);

impl<'v> Json<'v> {
    fn mistyped<T>(self, expected: impl fmt::Display) -> Result<T, Wrong> {
        Err(misfit("type", self.0, expected))
    }

    /// Reads an integer from 0 to `most`.
    fn unsigned<V: Visitor<'v>>(self, most: u64, visitor: V) -> Result<V::Value, Wrong> {
        const EXPECTED: &str = "an integer that is not negative";
        match self.0 {
            Value::Number(n) if !n.is_f64() => match n.as_u64().filter(|v| *v <= most) {
                Some(v) => visitor.visit_u64(v),
                None => Err(misfit("value", self.0, EXPECTED)),
            },
            _ => self.mistyped(EXPECTED),
        }
    }

    fn number<V: Visitor<'v>>(self, n: &Number, visitor: V) -> Result<V::Value, Wrong> {
        match (n.as_u64(), n.as_i64(), n.as_f64()) {
            (Some(v), _, _) => visitor.visit_u64(v),
            (_, Some(v), _) => visitor.visit_i64(v),
            (_, _, Some(v)) => visitor.visit_f64(v),
            _ => self.mistyped("a number"),
        }
    }

    fn list<V: Visitor<'v>>(self, list: &'v [Value], visitor: V) -> Result<V::Value, Wrong> {
        let mut items = Items(list.iter());
        let read = visitor.visit_seq(&mut items)?;
        match items.0.len() {
            0 => Ok(read),
            _ => Err(de::Error::invalid_length(list.len(), &"fewer elements in array")),
        }
    }

    fn object<V: Visitor<'v>>(self, visitor: V) -> Result<V::Value, Wrong> {
        match self.0 {
            Value::Object(map) => visitor.visit_map(Members { rest: map.iter(), value: None }),
            _ => self.mistyped("an object"),
        }
    }
}

impl<'v> Deserializer<'v> for Json<'v> {
    type Error = Wrong;

    fn deserialize_any<V: Visitor<'v>>(self, visitor: V) -> Result<V::Value, Wrong> {
        match self.0 {
            Value::Null => visitor.visit_unit(),
            Value::Bool(v) => visitor.visit_bool(*v),
            Value::Number(n) => self.number(n, visitor),
            Value::String(text) => visitor.visit_borrowed_str(text),
            Value::Array(list) => self.list(list, visitor),
            Value::Object(_) => self.object(visitor),
        }
    }

    fn deserialize_option<V: Visitor<'v>>(self, visitor: V) -> Result<V::Value, Wrong> {
        match self.0 {
            Value::Null => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_bool<V: Visitor<'v>>(self, visitor: V) -> Result<V::Value, Wrong> {
        match self.0 {
            Value::Bool(v) => visitor.visit_bool(*v),
            _ => self.mistyped("a boolean"),
        }
    }

    fn deserialize_u32<V: Visitor<'v>>(self, visitor: V) -> Result<V::Value, Wrong> {
        self.unsigned(u32::MAX.into(), visitor)
    }

    fn deserialize_u64<V: Visitor<'v>>(self, visitor: V) -> Result<V::Value, Wrong> {
        // `usize`, whose visitor calls this method, may be smaller.
        self.unsigned(usize::MAX as u64, visitor)
    }

    fn deserialize_f64<V: Visitor<'v>>(self, visitor: V) -> Result<V::Value, Wrong> {
        match self.0 {
            Value::Number(n) => self.number(n, visitor),
            _ => self.mistyped(&visitor as &dyn de::Expected),
        }
    }

    fn deserialize_string<V: Visitor<'v>>(self, visitor: V) -> Result<V::Value, Wrong> {
        match self.0 {
            Value::String(text) => visitor.visit_borrowed_str(text),
            _ => self.mistyped("a string"),
        }
    }

    fn deserialize_seq<V: Visitor<'v>>(self, visitor: V) -> Result<V::Value, Wrong> {
        match self.0 {
            Value::Array(list) => self.list(list, visitor),
            _ => self.mistyped("an array"),
        }
    }

    fn deserialize_tuple<V: Visitor<'v>>(self, length: usize, visitor: V) -> Result<V::Value, Wrong> {
        match self.0 {
            Value::Array(list) => self.list(list, visitor),
            _ => self.mistyped(format!("an array of length {length}")),
        }
    }

    fn deserialize_map<V: Visitor<'v>>(self, visitor: V) -> Result<V::Value, Wrong> {
        self.object(visitor)
    }

    fn deserialize_struct<V: Visitor<'v>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Wrong> {
        self.object(visitor)
    }

    fn deserialize_ignored_any<V: Visitor<'v>>(self, visitor: V) -> Result<V::Value, Wrong> {
        visitor.visit_unit()
    }

    forward_to_deserialize_any! {
        <W: Visitor<'v>>
        i8 i16 i32 i64 i128 u8 u16 u128 f32 char str bytes byte_buf unit unit_struct newtype_struct tuple_struct enum
        identifier
    }
}

/// Elements of an array that are not read yet.
struct Items<'v>(std::slice::Iter<'v, Value>);

impl<'v> SeqAccess<'v> for &mut Items<'v> {
    type Error = Wrong;

    fn next_element_seed<T: DeserializeSeed<'v>>(&mut self, seed: T) -> Result<Option<T::Value>, Wrong> {
        self.0.next().map(|value| seed.deserialize(Json(value))).transpose()
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.0.len())
    }
}

/// Members of an object that are not read yet, and the value of the last name.
struct Members<'v> {
    rest: serde_json::map::Iter<'v>,
    value: Option<&'v Value>,
}

impl<'v> MapAccess<'v> for Members<'v> {
    type Error = Wrong;

    fn next_key_seed<K: DeserializeSeed<'v>>(&mut self, seed: K) -> Result<Option<K::Value>, Wrong> {
        let Some((name, value)) = self.rest.next() else { return Ok(None) };
        self.value = Some(value);
        seed.deserialize(BorrowedStrDeserializer::new(name)).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'v>>(&mut self, seed: V) -> Result<V::Value, Wrong> {
        seed.deserialize(Json(self.value.take().unwrap_or(&Value::Null)))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.rest.len())
    }
}
