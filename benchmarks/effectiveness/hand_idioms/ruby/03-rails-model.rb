class Allotment < ApplicationRecord
  belongs_to :gardener
  has_many :beds, dependent: :destroy
  has_many :crops, through: :beds

  validates :name, presence: true, length: { maximum: 100 }
  validates :number, presence: true, uniqueness: true
  validates :area, numericality: { greater_than: 0 }

  scope :vacant, -> { where(gardener_id: nil) }
  scope :recent, -> { order(created_at: :desc) }

  before_save :normalize_name

  private

  def normalize_name
    self.name = name.strip
  end
end
