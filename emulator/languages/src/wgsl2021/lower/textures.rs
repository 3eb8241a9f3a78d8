//! Lowers texture functions (section 15.8 of the draft).

use naga::{
    Expression, ImageClass, ImageDimension, ImageQuery, SampleLevel, Scalar, ScalarKind, StorageAccess,
    TypeInner,
};

use super::super::super::parts::build::{Ty, Value};
use super::super::super::parts::source::Span;
use super::super::tree::{ExprId, ExprKind};
use super::{Entity, Lower, Lowered, Name};

/// The texture argument of a call.
#[derive(Clone, Copy)]
struct Texture {
    value: Value,
    dim: ImageDimension,
    arrayed: bool,
    class: ImageClass,
    /// True for an array of 1D textures in the source, which becomes an array of 2D textures of height 1.
    flat: bool,
}

/// Arguments of a call, consumed in order.
struct Arguments<'a> {
    name: Name<'a>,
    span: Span,
    all: &'a [ExprId],
    next: usize,
}

impl Texture {
    fn is_depth(&self) -> bool {
        matches!(self.class, ImageClass::Depth { .. })
    }

    fn is_multisampled(&self) -> bool {
        matches!(self.class, ImageClass::Sampled { multi: true, .. })
    }

    fn storage(&self) -> Option<StorageAccess> {
        match self.class {
            ImageClass::Storage { access, .. } => Some(access),
            _ => None,
        }
    }

    /// Number of coordinate components in the source.
    fn coordinates(&self) -> u32 {
        match self.dim {
            _ if self.flat => 1,
            ImageDimension::D1 => 1,
            ImageDimension::D2 => 2,
            ImageDimension::D3 | ImageDimension::Cube => 3,
        }
    }

    /// True if functions of this texture accept a texel offset.
    fn takes_offset(&self) -> bool {
        matches!(self.dim, ImageDimension::D2 | ImageDimension::D3) && !self.flat
    }
}

impl<'s> Lower<'s, '_> {
    pub(super) fn call_texture(
        &mut self,
        name: Name<'s>,
        arguments: &[ExprId],
        span: Span,
    ) -> Lowered<Option<Value>> {
        let mut arguments = Arguments { name, span, all: arguments, next: 0 };
        match name.text {
            "textureSample"
            | "textureSampleBias"
            | "textureSampleLevel"
            | "textureSampleGrad"
            | "textureSampleCompare" => self.sample(&mut arguments).map(Some),
            "textureLoad" => self.texture_load(&mut arguments).map(Some),
            "textureStore" => self.texture_store(&mut arguments).map(|()| None),
            "textureDimensions" => self.texture_dimensions(&mut arguments).map(Some),
            "textureNumLayers" | "textureNumLevels" | "textureNumSamples" => {
                self.texture_count(&mut arguments).map(Some)
            }
            _ => self.error(name.span, format!("no function has the name `{}` here", name.text)),
        }
    }

    /// Returns a texture or sampler, and `true` for an array of 1D textures that becomes one of 2D textures.
    pub(super) fn handle(&mut self, id: ExprId) -> Lowered<(Value, bool)> {
        let value = self.place(id)?;
        let flat = match self.tree.get(id).kind {
            ExprKind::Name(name) => {
                matches!(self.scopes.get(name), Some(Entity::Global(number)) if self.globals[*number].flat)
            }
            _ => false,
        };
        match *self.b.inner(value.ty) {
            TypeInner::Image { .. } | TypeInner::Sampler { .. } => Ok((value, flat)),
            _ => {
                let name = self.type_name(value.ty);
                self.error(
                    self.tree.span(id),
                    format!("expected a texture or sampler, found a value of type `{name}`"),
                )
            }
        }
    }

    fn next(&mut self, arguments: &mut Arguments<'_>, what: &str) -> Lowered<ExprId> {
        let id = arguments.all.get(arguments.next).copied();
        arguments.next += 1;
        match id {
            Some(id) => Ok(id),
            None => self.error(arguments.span, format!("`{}` takes {what} here", arguments.name.text)),
        }
    }

    /// Takes the next argument, a value of `n` components.
    fn next_value(
        &mut self,
        arguments: &mut Arguments<'_>,
        what: &str,
        n: u32,
        scalar: Scalar,
    ) -> Lowered<Value> {
        let id = self.next(arguments, what)?;
        let ty = self.b.vector(n, scalar);
        let value = self.value(id)?;
        let value = self.fit(id, value, ty);
        if value.ty == ty {
            return Ok(value);
        }
        // Sources of 2021 also use unsigned indices and coordinates.
        match self.b.components(value.ty) {
            Some((m, Scalar::U32)) if m == n && scalar == Scalar::I32 && !self.settings.strict => {
                Ok(self.b.bitcast(value, ScalarKind::Sint))
            }
            _ => self.mismatch(self.tree.span(id), ty, value.ty),
        }
    }

    fn finish(&mut self, arguments: &Arguments<'_>) -> Lowered<()> {
        match arguments.all.get(arguments.next) {
            None => {
                self.b.at(arguments.span);
                Ok(())
            }
            Some(more) => {
                let message =
                    format!("`{}` takes {} arguments of these types", arguments.name.text, arguments.next);
                self.error(self.tree.span(*more), message)
            }
        }
    }

    fn texture(&mut self, arguments: &mut Arguments<'_>) -> Lowered<Texture> {
        let id = self.next(arguments, "a texture")?;
        let (value, flat) = self.handle(id)?;
        match *self.b.inner(value.ty) {
            TypeInner::Image { dim, arrayed, class } => Ok(Texture { value, dim, arrayed, class, flat }),
            _ => self.error(self.tree.span(id), "expected a texture"),
        }
    }

    /// Reports that the function does not exist for this texture.
    fn no_such<T>(&mut self, arguments: &Arguments<'_>, texture: Texture) -> Lowered<T> {
        let name = self.type_name(texture.value.ty);
        self.error(arguments.span, format!("there is no `{}` for a `{name}`", arguments.name.text))
    }

    fn array_index(&mut self, arguments: &mut Arguments<'_>, texture: Texture) -> Lowered<Option<Value>> {
        if !texture.arrayed {
            return Ok(None);
        }
        self.next_value(arguments, "an array index", 1, Scalar::I32).map(Some)
    }

    fn sampler(&mut self, arguments: &mut Arguments<'_>, comparison: bool) -> Lowered<Value> {
        let id = self.next(arguments, "a sampler")?;
        let (value, _) = self.handle(id)?;
        match *self.b.inner(value.ty) {
            TypeInner::Sampler { comparison: found } if found == comparison => Ok(value),
            _ => {
                let wanted = self.b.sampler(comparison);
                self.mismatch(self.tree.span(id), wanted, value.ty)
            }
        }
    }

    fn sample(&mut self, arguments: &mut Arguments<'_>) -> Lowered<Value> {
        let texture = self.texture(arguments)?;
        let function = arguments.name.text;
        let compares = function == "textureSampleCompare";
        let one = texture.dim == ImageDimension::D1 || texture.flat;
        let fits = match (function, texture.class) {
            ("textureSampleCompare", class) => matches!(class, ImageClass::Depth { .. }),
            ("textureSample" | "textureSampleLevel", ImageClass::Depth { .. }) => true,
            (_, ImageClass::Sampled { kind: ScalarKind::Float, multi: false }) => {
                function == "textureSample" || !one
            }
            _ => false,
        };
        if !fits {
            return self.no_such(arguments, texture);
        }
        let sampler = self.sampler(arguments, compares)?;
        let n = texture.coordinates();
        let mut coordinate = self.next_value(arguments, "coordinates", n, Scalar::F32)?;
        if texture.flat {
            let half = self.b.f32(0.5);
            let ty = self.b.vector(2, Scalar::F32);
            coordinate = self.b.compose(ty, &[coordinate, half]);
        }
        let array_index = self.array_index(arguments, texture)?;
        let mut depth_ref = None;
        let level = match function {
            "textureSampleBias" => {
                SampleLevel::Bias(self.next_value(arguments, "a bias", 1, Scalar::F32)?.expr)
            }
            "textureSampleLevel" => {
                let scalar = if texture.is_depth() { Scalar::I32 } else { Scalar::F32 };
                SampleLevel::Exact(self.next_value(arguments, "a level", 1, scalar)?.expr)
            }
            "textureSampleGrad" => {
                let x = self.next_value(arguments, "a derivative", n, Scalar::F32)?;
                let y = self.next_value(arguments, "a derivative", n, Scalar::F32)?;
                SampleLevel::Gradient { x: x.expr, y: y.expr }
            }
            _ => SampleLevel::Auto,
        };
        if compares {
            depth_ref = Some(self.next_value(arguments, "a depth", 1, Scalar::F32)?.expr);
        }
        let offset = self.offset(arguments, texture)?;
        self.finish(arguments)?;
        if matches!(level, SampleLevel::Auto | SampleLevel::Bias(_)) {
            self.current.uses.derivatives.get_or_insert(arguments.span);
        }
        let sampled = Expression::ImageSample {
            image: texture.value.expr,
            sampler: sampler.expr,
            gather: None,
            coordinate: coordinate.expr,
            array_index: array_index.map(|v| v.expr),
            offset: offset.map(|v| v.expr),
            level,
            depth_ref,
            clamp_to_edge: false,
        };
        let ty = self.b.vector(if texture.is_depth() { 1 } else { 4 }, Scalar::F32);
        Ok(self.b.add(sampled, ty))
    }

    /// Takes the optional last argument: an offset in whole texels, known at compile time.
    fn offset(&mut self, arguments: &mut Arguments<'_>, texture: Texture) -> Lowered<Option<Value>> {
        if arguments.next >= arguments.all.len() {
            return Ok(None);
        }
        let id = self.next(arguments, "an offset")?;
        if !texture.takes_offset() {
            return self.error(self.tree.span(id), "samples of this texture take no offset");
        }
        let ty = self.b.vector(texture.coordinates(), Scalar::I32);
        let value = self.constant(id, Some(ty))?;
        let span = self.tree.span(id);
        if self.constant_integers(&value, span)?.iter().any(|n| !(-8..=7).contains(n)) {
            return self.error(span, "an offset is from -8 to 7");
        }
        Ok(Some(self.constant_value(&value)))
    }

    fn texture_load(&mut self, arguments: &mut Arguments<'_>) -> Lowered<Value> {
        let texture = self.texture(arguments)?;
        if texture.storage().is_some_and(|access| !access.contains(StorageAccess::LOAD))
            || (texture.dim == ImageDimension::Cube)
        {
            return self.no_such(arguments, texture);
        }
        let mut coordinate = self.next_value(arguments, "coordinates", texture.coordinates(), Scalar::I32)?;
        coordinate = self.two_dimensional(texture, coordinate);
        let array_index = self.array_index(arguments, texture)?;
        let (mut sample, mut level) = (None, None);
        if texture.is_multisampled() {
            sample = Some(self.next_value(arguments, "a sample index", 1, Scalar::I32)?.expr);
        } else if texture.storage().is_none() {
            let given = arguments.next < arguments.all.len();
            let levels = !(texture.dim == ImageDimension::D1 || texture.flat) || !self.settings.strict;
            level = Some(if given && levels {
                self.next_value(arguments, "a level", 1, Scalar::I32)?.expr
            } else {
                self.b.i32(0).expr
            });
        }
        self.finish(arguments)?;
        let load = Expression::ImageLoad {
            image: texture.value.expr,
            coordinate: coordinate.expr,
            array_index: array_index.map(|v| v.expr),
            sample,
            level,
        };
        let ty = self.texel(texture);
        Ok(self.b.add(load, ty))
    }

    /// Converts a coordinate of a 1D texture to one of the 2D texture that replaces it.
    fn two_dimensional(&mut self, texture: Texture, coordinate: Value) -> Value {
        if !texture.flat {
            return coordinate;
        }
        let zero = self.b.i32(0);
        let ty = self.b.vector(2, Scalar::I32);
        self.b.compose(ty, &[coordinate, zero])
    }

    /// The type of a texel.
    fn texel(&mut self, texture: Texture) -> Ty {
        match texture.class {
            ImageClass::Sampled { kind, .. } => self.b.vector(4, Scalar { kind, width: 4 }),
            ImageClass::Storage { format, .. } => self.b.vector(4, Scalar::from(format)),
            _ => self.b.scalar(Scalar::F32),
        }
    }

    fn texture_store(&mut self, arguments: &mut Arguments<'_>) -> Lowered<()> {
        let texture = self.texture(arguments)?;
        if texture.storage().is_none_or(|access| !access.contains(StorageAccess::STORE)) {
            return self.no_such(arguments, texture);
        }
        let coordinate = self.next_value(arguments, "coordinates", texture.coordinates(), Scalar::I32)?;
        let coordinate = self.two_dimensional(texture, coordinate);
        let array_index = self.array_index(arguments, texture)?;
        let ty = self.texel(texture);
        let id = self.next(arguments, "a value")?;
        let value = self.value_of_type(id, ty)?;
        self.finish(arguments)?;
        self.b.push(naga::Statement::ImageStore {
            image: texture.value.expr,
            coordinate: coordinate.expr,
            array_index: array_index.map(|v| v.expr),
            value: value.expr,
        });
        Ok(())
    }

    fn texture_dimensions(&mut self, arguments: &mut Arguments<'_>) -> Lowered<Value> {
        let texture = self.texture(arguments)?;
        let levels = texture.storage().is_none()
            && !texture.is_multisampled()
            && (!(texture.dim == ImageDimension::D1 || texture.flat) || !self.settings.strict);
        let level = if levels && arguments.next < arguments.all.len() {
            Some(self.next_value(arguments, "a level", 1, Scalar::I32)?.expr)
        } else {
            None
        };
        self.finish(arguments)?;
        let n = match texture.dim {
            ImageDimension::D1 => 1,
            ImageDimension::D2 | ImageDimension::Cube => 2,
            ImageDimension::D3 => 3,
        };
        let ty = self.b.vector(n, Scalar::U32);
        let query = ImageQuery::Size { level };
        let size = self.b.add(Expression::ImageQuery { image: texture.value.expr, query }, ty);
        let size = self.b.bitcast(size, ScalarKind::Sint);
        Ok(match texture.dim {
            _ if texture.flat => self.b.member(size, 0),
            // Cube map faces are square.
            ImageDimension::Cube => {
                let width = self.b.member(size, 0);
                let ty = self.b.vector(3, Scalar::I32);
                self.b.compose(ty, &[size, width])
            }
            _ => size,
        })
    }

    fn texture_count(&mut self, arguments: &mut Arguments<'_>) -> Lowered<Value> {
        let texture = self.texture(arguments)?;
        let one = texture.dim == ImageDimension::D1 || texture.flat;
        let (query, fits) = match arguments.name.text {
            "textureNumLayers" => (ImageQuery::NumLayers, texture.arrayed),
            "textureNumLevels" => {
                (ImageQuery::NumLevels, texture.storage().is_none() && !texture.is_multisampled() && !one)
            }
            _ => (ImageQuery::NumSamples, texture.is_multisampled()),
        };
        if !fits {
            return self.no_such(arguments, texture);
        }
        self.finish(arguments)?;
        let ty = self.b.scalar(Scalar::U32);
        let count = self.b.add(Expression::ImageQuery { image: texture.value.expr, query }, ty);
        Ok(self.b.bitcast(count, ScalarKind::Sint))
    }
}
